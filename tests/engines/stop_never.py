"""Takes no notice of stop."""

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if not (self.broken and line == "stop"):
            self.ask(line)


Engine().run()
