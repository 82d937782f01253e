"""Floods standard output with info lines and never comes to an end."""

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            self.settle()
        while self.broken:
            self.say("info depth 1 nodes 1\n" * 1000, end="")
        self.ask(line)


Engine().run()
