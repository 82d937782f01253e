"""An engine without rules that answers at once, to see what everything around an engine costs."""

import sys

ANSWERS = {
    b"uhi": b"id name Instant\nuhiok\n",
    b"isready": b"readyok\n",
    b"go": b"info depth 1 multipv 1 score cp 7137 seats 7137 7200 nodes 13 time 0 pv g1,Ma1\n"
    b"bestmove g1,Ma1\n",
}

for line in sys.stdin.buffer:
    verb = line.split(None, 1)[0]
    if verb == b"quit":
        break
    if verb in ANSWERS:
        sys.stdout.buffer.write(ANSWERS[verb])
        sys.stdout.buffer.flush()
