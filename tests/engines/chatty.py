"""Writes what it thinks on standard output, with bytes that are no text among it."""

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            self.say("DEBUG told: \udcff\udcfe " + line)
        self.ask(line)


Engine().run()
