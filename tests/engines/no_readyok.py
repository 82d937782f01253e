"""Is never ready."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if line != "readyok" or self.searches < self.after:
            self.say(line)


Engine().run()
