"""Plays a turn that is never legal: water upon water."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if self.broken and line.startswith("bestmove "):
            line = "bestmove g1,Wa1,Wa1,Wa1"
        self.say(line)


Engine().run()
