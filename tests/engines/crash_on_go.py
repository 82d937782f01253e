"""Ends with exit status 3 when it is told to search."""

import os

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            os._exit(3)
        self.ask(line)


Engine().run()
