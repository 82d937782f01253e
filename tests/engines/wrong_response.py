"""Answers queries with the name of another one."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if line.startswith("response "):
            line = "response weather fine"
        self.say(line)


Engine().run()
