"""Answers a search that was stopped twice."""

from relay import Relay


class Engine(Relay):
    stopped = False

    def request(self, line):
        self.stopped = self.broken and line == "stop"
        self.ask(line)

    def answer(self, line):
        # Both lines at once: the client may ask for more as soon as it has seen the first.
        twice = self.stopped and line.startswith("bestmove ")
        self.say(f"{line}\n{line}" if twice else line)


Engine().run()
