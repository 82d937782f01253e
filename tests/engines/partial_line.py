"""Prints its bestmove without the end of the line."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        unended = self.broken and line.startswith("bestmove ")
        self.say(line, end="" if unended else "\n")


Engine().run()
