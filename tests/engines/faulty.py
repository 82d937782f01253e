#!/usr/bin/env python3
"""A player of legal first turns that does one thing wrong: `faulty.py FAULT [AT]`.

The fault happens at every AT-th `go` of the process (default 2). Knows the rules from
`harmonies_core`; everything else is written here, so that the protocol is not that of the engine.
`none` plays well. FLAG names a file: if it exists already, or cannot be made, the engine does
nothing wrong; so a fault happens once. MARK names a file that is made when it happens.
"""

import os
import signal
import sys
import time

from harmonies_core.game import Position

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 2
FLAG = os.environ.get("FLAG")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def first_turn(position: Position) -> str:
    after = position.copy()
    words: list[str] = []
    while (after.seat, after.turn, after.phase == "over") == (
        position.seat,
        position.turn,
        False,
    ) and after.phase in ("turn", "spirit"):
        actions = [a for a in after.actions() if a.kind in ("spirit", "space", "place", "discard")]
        if not actions:
            return ",".join(words) or "end"
        places = [a for a in actions if a.kind == "place"]
        action = (places or actions)[0]
        words.append(str(action))
        after.push_action(action)
    return ",".join(words)


def may_fail() -> bool:
    if FLAG is None:
        return True
    try:
        os.close(os.open(FLAG, os.O_CREAT | os.O_EXCL))
    except OSError:
        return False
    return True


def hang() -> None:
    while True:
        time.sleep(3600)


def fail(turn: str) -> None:
    """Do what is wrong in place of `bestmove`."""
    if "MARK" in os.environ:
        open(os.environ["MARK"], "w").close()
    if FAULT == "crash":
        sys.stderr.write("out of cheese\n")
        os._exit(3)
    elif FAULT == "signal":
        os.kill(os.getpid(), signal.SIGKILL)
    elif FAULT == "exit":
        os._exit(0)
    elif FAULT == "closed-pipe":
        sys.stdout.flush()
        os.close(1)
        hang()
    elif FAULT == "stall":
        hang()
    elif FAULT == "late":
        time.sleep(0.6)
        say(f"bestmove {turn}")
    elif FAULT == "illegal":
        say("bestmove g1,Wa1,Wa1,Wa1")
    elif FAULT == "half":
        say(f"bestmove {turn.split(',')[0]}")
    elif FAULT == "malformed":
        say("bestmove")
    elif FAULT == "garbled":
        say("bestmove xyzzy!")
    elif FAULT == "chance":
        say(f"bestmove {turn}/WMT")
    elif FAULT == "twice":
        say(f"bestmove {turn}\nbestmove {turn}")
    elif FAULT == "other":
        say("uhiok")
    elif FAULT == "refuse":
        say("error internal I would rather not")
    elif FAULT == "flood":
        while True:
            sys.stdout.write("lalala\n" * 1000)
    elif FAULT == "endless-line":
        while True:
            sys.stdout.write("la" * 50000)
    elif FAULT == "memory":
        kept = bytearray(os.urandom(1)) * (300 * 2**20)
        hang()
        del kept


def main() -> None:
    goes = 0
    position = Position.start()
    failing = FAULT != "none" and may_fail()
    if failing and FAULT == "no-start":
        sys.exit(4)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uhi":
            if failing and FAULT == "no-uhiok":
                say("id name Half a greeting")
                hang()
            say("id name Faulty\nid author nobody\nprotocol 1")
            say("option name Level type spin default 1 min 1 max 3\nuhiok")
        elif words[0] == "isready":
            if failing and FAULT == "no-readyok" and goes == AT - 1:
                hang()
            say("readyok")
        elif words[0] == "position":
            cut = words.index("moves") if "moves" in words else len(words)
            position = Position.from_hfen(" ".join(words[2:cut]))
            for move in words[cut + 1 :]:
                position.push(move)
        elif words[0] == "go":
            goes += 1
            turn = first_turn(position)
            if failing and goes % AT == 0:
                fail(turn)
            else:
                say(f"info depth 1 score cp 100 nodes 7 pv {turn}\nbestmove {turn}")
        elif words[0] == "quit":
            return


if __name__ == "__main__":
    main()
