"""Lets Ctrl-C reach programs under test also where a shell started pytest in the background."""

import signal

# A shell without job control lets its background jobs ignore the signal, and they pass that on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
