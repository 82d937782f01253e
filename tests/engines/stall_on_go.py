"""Never answers a search; everything else is answered."""

from relay import Relay


class Engine(Relay):
    def request(self, line):
        if not (self.broken and line.split()[:1] in (["go"], ["stop"])):
            self.ask(line)


Engine().run()
