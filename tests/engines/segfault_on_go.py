"""Is ended by SIGSEGV when it is told to search."""

import os
import signal

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if self.broken:
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGSEGV)
        self.ask(line)


Engine().run()
