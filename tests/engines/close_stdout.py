"""Closes its standard output when it is told to search, and lives on."""

import os
import threading

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            os.close(1)
            threading.Event().wait()
        self.ask(line)

    def answer(self, line):
        if not self.broken:
            self.say(line)


Engine().run()
