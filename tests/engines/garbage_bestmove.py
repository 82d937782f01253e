"""Ends its searches with a bestmove that cannot be read."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if self.broken and line.startswith("bestmove "):
            line = "bestmove (none) ponder \udcff\udcfe?!"
        self.say(line)


Engine().run()
