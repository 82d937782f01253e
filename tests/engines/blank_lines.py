"""Prints empty lines, and spaces at the end of lines."""

from relay import Relay


class Engine(Relay):
    def answer(self, line):
        self.say(line + " \n" if self.broken and line.startswith("info ") else line)


Engine().run()
