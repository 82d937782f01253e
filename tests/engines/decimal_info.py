"""Writes numbers with a decimal point in its info lines."""

import re

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if self.broken and line.startswith("info "):
            line = re.sub(r"score cp (-?\d+)", r"score cp \1.0", line)
        self.say(line)


Engine().run()
