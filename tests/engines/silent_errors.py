"""Never says that a request cannot be met."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if not line.startswith("error "):
            self.say(line)


Engine().run()
