"""Reads nothing while it searches but stop: isready has to wait for bestmove."""

import threading

from relay import Relay


class Engine(Relay):
    idle = threading.Event()
    idle.set()

    def request(self, line):
        verb = line.split()[:1]
        if verb != ["stop"] and verb != ["quit"] and verb != ["ponderhit"]:
            self.idle.wait(20)
        if verb == ["go"] and self.broken:
            self.idle.clear()
        self.ask(line)

    def answer(self, line):
        self.say(line)
        if line.startswith(("bestmove", "error")):
            self.idle.set()


Engine().run()
