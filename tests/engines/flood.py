"""Floods standard output with text that is not protocol when it is told to search."""

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            self.settle()
        while self.broken:
            self.say("thinking about it ...\n" * 1000, end="")
        self.ask(line)


Engine().run()
