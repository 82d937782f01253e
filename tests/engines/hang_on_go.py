"""Does nothing at all any more once it is told to search, not even read."""

import threading

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            threading.Event().wait()
        self.ask(line)


Engine().run()
