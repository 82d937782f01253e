"""Announces an option of a type that does not exist."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if line == "uhiok":
            self.say("option name Mood type weather default sunny")
        self.say(line)


Engine().run()
