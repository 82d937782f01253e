"""Never ends its greeting."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        if line != "uhiok":
            self.say(line)


Engine().run()
