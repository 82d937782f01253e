"""An engine that answers at once: it plays the first legal action until its turn is over.

For measuring what a tournament costs beside the thinking. It uses the rules of this project and
nothing else of it.
"""

import sys

from harmonies_core.game import Position


def first_turn(position: Position) -> str:
    """A whole turn made of first legal actions; tokens are spread, so that games are short."""
    after = position.copy()
    words: list[str] = []
    while True:
        actions = after.actions()
        places = [action for action in actions if action.kind == "place"]
        if places:
            action = places[0]
        else:
            action = next((a for a in actions if a.kind in ("spirit", "space", "discard")), None)
        if action is None:
            return ",".join(words) or "end"
        words.append(str(action))
        after.push_action(action)
        if after.seat != position.seat or after.phase not in ("turn", "spirit"):
            return ",".join(words)


def main() -> None:
    write, flush = sys.stdout.write, sys.stdout.flush
    start, played, position = "", [], Position.start()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uhi":
            write("id name instant\nid author harmonies-engine\nprotocol 1\nuhiok\n")
        elif words[0] == "isready":
            write("readyok\n")
        elif words[0] == "position":
            cut = words.index("moves") if "moves" in words else len(words)
            text, moves = " ".join(words[2:cut]), words[cut + 1 :]
            if text != start or moves[: len(played)] != played:
                start, played, position = text, [], Position.from_hfen(text)
            for move in moves[len(played) :]:
                position.push(move)
            played = moves
        elif words[0] == "go":
            write(f"bestmove {first_turn(position)}\n")
        elif words[0] == "quit":
            return
        flush()


if __name__ == "__main__":
    main()
