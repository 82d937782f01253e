"""The commands of the program `harmonies`, one module each."""
