"""Does not end, neither on quit nor at the end of its input nor by SIGTERM."""

import signal
import threading

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if line != "quit":
            self.ask(line)

    def end(self):
        threading.Event().wait()


signal.signal(signal.SIGTERM, signal.SIG_IGN)
Engine().run()
