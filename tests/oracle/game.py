"""A whole game: turns, what the dealer owes, and the end (rules: Set-up, A turn, End, Solo)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from . import patterns, results, scoring
from .cards import CARDS, PACKS, SPIRITS, animals_of
from .geometry import all_cells
from .player import Player
from .stacks import can_place
from .tokens import EMPTY_SPACE, TOKEN_COUNTS, is_group_of_three, sorted_tokens

Pair = tuple[int, int]

HAND_LIMIT = 4


class IllegalAction(ValueError):
    """An action, or a reveal, that the rules do not allow now. Nothing was changed."""


class OracleGame:
    """One game as everyone can see it: the order of bag and deck is told by ``reveal``."""

    def __init__(
        self,
        players: int,
        side: str,
        spirits: bool,
        packs: Sequence[str] = ("base",),
        river: str = "diameter",
        *,
        centre: Sequence[str],
        row: Sequence[int],
        pair: Pair | None = None,
    ) -> None:
        """Set a game up. One player is solo. Without its pair a first seat waits for one."""
        if players not in (1, 2, 3, 4):
            raise ValueError("1 to 4 players")
        if side not in ("A", "B") or river not in ("diameter", "loop"):
            raise ValueError("side is A or B, river is diameter or loop")
        if any(pack not in PACKS for pack in packs):
            raise ValueError("unknown pack")
        size = 3 if players == 1 else 5
        if len(centre) != size or not all(is_group_of_three(group) for group in centre):
            raise ValueError(f"the centre is {size} groups of three tokens")
        if len(row) != size or len(set(row)) != size or not set(row) <= animals_of(tuple(packs)):
            raise ValueError(f"the row is {size} different animals of the packs")
        if Counter("".join(centre)) - Counter(TOKEN_COUNTS):
            raise ValueError("more tokens than there are")

        self.player_count = players
        self.side = side
        self.spirits = spirits
        self.packs = tuple(packs)
        self.river = river

        self.players = [Player() for _ in range(players)]
        self.centre = [sorted_tokens(group) for group in centre]
        self.row: list[int | None] = list(row)
        self.bag = dict(TOKEN_COUNTS)
        for token in "".join(centre):
            self.bag[token] -= 1
        self.unseen = animals_of(self.packs) - set(row)
        self.seen_spirits: set[int] = set()

        self.seat = 1
        self.turn = 1
        self.ending = False  # an end trigger has been met: the round is the last
        self.taken: int | None = None  # the space taken this turn
        self.in_hand = ""  # its tokens still to be placed
        self.card_taken = False
        self.discarded: int | None = None  # solo: the card put out of the game this turn
        self.pair: Pair | None = None  # the spirits offered to the seat to move
        if pair is not None:
            self._check_pair(pair, self.spirits)
            self._offer(pair)
        self.phase = self.phase_between_turns()

    # ---- what can be asked -----------------------------------------------------------------

    @property
    def solo(self) -> bool:
        """Whether this is a game for one."""
        return self.player_count == 1

    @property
    def player(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.seat - 1]

    def copy(self) -> "OracleGame":
        """A game that shares nothing with this one."""
        twin = object.__new__(OracleGame)
        twin.__dict__.update(self.__dict__)
        twin.players = [player.copy() for player in self.players]
        twin.centre = list(self.centre)
        twin.row = list(self.row)
        twin.bag = dict(self.bag)
        twin.unseen = set(self.unseen)
        twin.seen_spirits = set(self.seen_spirits)
        return twin

    def state(self) -> dict[str, Any]:
        """All that is public (and the pair offered), as plain values that compare."""
        return {
            "boards": [dict(player.cells) for player in self.players],
            "animal_cubes": [set(player.animal_cubes) for player in self.players],
            "spirit_cubes": [set(player.spirit_cubes) for player in self.players],
            "hands": [dict(player.hand) for player in self.players],
            "centre": list(self.centre),
            "row": list(self.row),
            "bag": dict(self.bag),
            "unseen": set(self.unseen),
            "seat": self.seat,
            "turn": self.turn,
            "phase": self.phase,
            "in_hand": self.in_hand,
            "taken": self.taken,
            "card_taken": self.card_taken,
            "pair": self.pair,
        }

    def scores(self) -> list[dict[str, int]]:
        """Points by category of every seat, as if the game ended now."""
        return [
            scoring.board_scores(self.side, player.cells, player.hand, player.cubes, self.river)
            for player in self.players
        ]

    def ranks(self) -> list[int]:
        """Rank of every seat: points, then cubes on the board, then shared."""
        return results.ranks(self.scores())

    def suns(self) -> int:
        """The suns of a solo game."""
        if not self.solo:
            raise ValueError("suns are for solo games")
        total = self.scores()[0]["total"]
        return results.suns(total, self.side, self.spirits, self.player.spirit)

    def cube_cells(self, card_id: int) -> set[str]:
        """Where the next cube of a card could go on the board of the seat to move, held or not."""
        return patterns.cube_cells(CARDS[card_id], self.side, self.player.cells, self.player.cubes)

    # ---- actions ---------------------------------------------------------------------------

    def legal_actions(self) -> set[str]:
        """Every action that may come next; none while the dealer is due or the game is over."""
        if self.phase == "spirit":
            assert self.pair is not None
            return {f"s{spirit}" for spirit in self.pair}
        if self.phase != "turn":
            return set()
        if self.discarded is not None:
            return {"end"}
        actions = self._legal_takes() | self._legal_tokens() | self._legal_cubes()
        if not self.card_taken and len(self.player.uncompleted()) < HAND_LIMIT:
            actions |= {f"+{card_id}" for card_id in self.row if card_id is not None}
        if self.taken is not None and not self.in_hand:
            actions.add("end")
            if self.solo and not self.card_taken:
                actions |= {f"-{card_id}" for card_id in self.row if card_id is not None}
        return actions

    def _legal_takes(self) -> set[str]:
        """Take all tokens of one central space, once a turn."""
        if self.taken is not None:
            return set()
        return {
            f"g{number}"
            for number, group in enumerate(self.centre, start=1)
            if group != EMPTY_SPACE
        }

    def _legal_tokens(self) -> set[str]:
        """Place a token in hand on a legal stack, never on a cell with a cube."""
        player = self.player
        return {
            token + cell
            for token in set(self.in_hand)
            for cell in all_cells(self.side)
            if cell not in player.cubes and can_place(player.cells.get(cell, ""), token)
        }

    def _legal_cubes(self) -> set[str]:
        """Place the next cube of an uncompleted card where its habitat is."""
        return {
            f"{card_id}@{cell}"
            for card_id in self.player.uncompleted()
            for cell in self.cube_cells(card_id)
        }

    def apply(self, action: str) -> None:
        """Play one action, or raise IllegalAction and change nothing."""
        if action not in self.legal_actions():
            raise IllegalAction(f"{action!r} is not legal now")
        self.perform(action)

    def perform(self, action: str) -> None:
        """Play one action that is known to be legal."""
        if action == "end":
            self._end_turn()
        elif action[0] == "s":
            self._choose_spirit(int(action[1:]))
        elif action[0] == "g":
            self._take_space(int(action[1:]))
        elif action[0] == "+":
            self._take_card(int(action[1:]))
        elif action[0] == "-":
            self._discard_card(int(action[1:]))
        elif "@" in action:
            card_text, cell = action.split("@")
            self._place_cube(int(card_text), cell)
        else:
            self._place_token(action[0], action[1:])

    def _choose_spirit(self, spirit: int) -> None:
        """Keep one spirit of the pair; the other leaves the game."""
        self.player.spirit = spirit
        self.player.hand[spirit] = 0
        self.pair = None
        self.phase = "turn"

    def _take_space(self, number: int) -> None:
        """Take the three tokens of a central space."""
        self.taken = number
        self.in_hand = self.centre[number - 1]
        self.centre[number - 1] = EMPTY_SPACE

    def _place_token(self, token: str, cell: str) -> None:
        """Put one token in hand on top of a cell."""
        self.in_hand = self.in_hand.replace(token, "", 1)
        self.player.cells[cell] = self.player.cells.get(cell, "") + token

    def _take_card(self, card_id: int) -> None:
        """Take an animal card from the row; the gap stays until the end of the turn."""
        self.row[self.row.index(card_id)] = None
        self.player.hand[card_id] = 0
        self.card_taken = True

    def _discard_card(self, card_id: int) -> None:
        """Solo: put a card of the row out of the game, which closes the turn."""
        self.row[self.row.index(card_id)] = None
        self.discarded = card_id

    def _place_cube(self, card_id: int, cell: str) -> None:
        """Move the lowest cube of a card to a cell, where it stays for ever."""
        self.player.hand[card_id] += 1
        if CARDS[card_id].kind == "spirit":
            self.player.spirit_cubes.add(cell)
        else:
            self.player.animal_cubes.add(cell)

    # ---- the end of a turn -----------------------------------------------------------------

    def _end_turn(self) -> None:
        """Test the end triggers before refilling, pass the turn on, and call the dealer."""
        if self.player.empty_cells(self.side) <= 2 or sum(self.bag.values()) < 3:
            self.ending = True
        over = self.ending and self.seat == self.player_count
        if self.solo and not over:
            self.centre = [EMPTY_SPACE] * len(self.centre)
        self._forget_turn()
        self.seat += 1
        if self.seat > self.player_count:
            self.seat = 1
            self.turn += 1
        self.phase = "over" if over else self.phase_between_turns()

    def _forget_turn(self) -> None:
        """Nothing taken, nothing in hand, nothing discarded, no pair offered."""
        self.taken = None
        self.in_hand = ""
        self.card_taken = False
        self.discarded = None
        self.pair = None

    def phase_between_turns(self) -> str:
        """The phase of a turn about to begin: something to deal, a spirit to choose, or play."""
        if self._due() != (0, 0, False):
            return "chance"
        return "turn" if self.pair is None else "spirit"

    # ---- the dealer ------------------------------------------------------------------------

    def _due(self) -> tuple[int, int, bool]:
        """Groups, cards and whether a spirit pair would be dealt before this turn.

        A space is refilled only from a bag of at least three tokens; the row only while there are
        animals nobody has seen; a pair is dealt to each seat before its first turn.
        """
        spaces = min(self.centre.count(EMPTY_SPACE), sum(self.bag.values()) // 3)
        cards = min(self.row.count(None), len(self.unseen))
        pair = self.spirits and self.turn == 1 and self.player.spirit is None and self.pair is None
        return spaces, cards, pair

    def chance(self) -> dict[str, Any]:
        """What the dealer must reveal before the game goes on."""
        spaces, cards, pair = self._due() if self.phase == "chance" else (0, 0, False)
        return {"spaces": spaces, "cards": cards, "pair": pair}

    def reveal(
        self,
        spaces: Sequence[str] = (),
        cards: Sequence[int] = (),
        pair: Pair | None = None,
    ) -> None:
        """Deal exactly what ``chance`` asks for, spaces and row being filled in order."""
        if self.phase != "chance":
            raise IllegalAction("nothing is to be dealt")
        due_spaces, due_cards, due_pair = self._due()
        if len(spaces) != due_spaces or not all(is_group_of_three(group) for group in spaces):
            raise IllegalAction(f"{due_spaces} groups of three tokens are due")
        if Counter("".join(spaces)) - Counter(self.bag):
            raise IllegalAction("the bag does not hold these tokens")
        if len(cards) != due_cards or len(set(cards)) != len(cards):
            raise IllegalAction(f"{due_cards} different cards are due")
        if not set(cards) <= self.unseen:
            raise IllegalAction("only unseen animals come from the deck")
        self._check_pair(pair, due_pair)

        for group in spaces:
            self.centre[self.centre.index(EMPTY_SPACE)] = sorted_tokens(group)
            for token in group:
                self.bag[token] -= 1
        for card_id in cards:
            self.row[self.row.index(None)] = card_id
            self.unseen.remove(card_id)
        if pair is not None:
            self._offer(pair)
        self.phase = "turn" if self.pair is None else "spirit"

    def _check_pair(self, pair: Pair | None, due: bool) -> None:
        """A pair is two different spirits that nobody was offered before."""
        if (pair is not None) != due:
            raise IllegalAction("a spirit pair is due" if due else "no spirit pair is due")
        if pair is None:
            return
        if len(set(pair)) != 2 or not set(pair) <= SPIRITS - self.seen_spirits:
            raise IllegalAction("a pair is two different spirits not dealt before")

    def _offer(self, pair: Pair) -> None:
        """Put a pair before the seat to move."""
        low, high = sorted(set(pair))
        self.pair = (low, high)
        self.seen_spirits |= set(pair)
