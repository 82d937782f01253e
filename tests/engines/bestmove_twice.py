"""Answers a search twice."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        self.say(line)
        if self.broken and line.startswith("bestmove "):
            self.say(line)


Engine().run()
