"""Prints a line that never ends when it is told to search."""

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            self.settle()
        while self.broken:
            self.say("x" * 100_000, end="")
        self.ask(line)


Engine().run()
