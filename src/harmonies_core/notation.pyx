"""Texts of positions and turns, both ways (docs/notation.md)."""

from libc.stdint cimport uint8_t, uint64_t

from harmonies_core.board cimport (
    K_BLD, NO_TOKEN, clear_board, count_tokens, kind_at, set_stack,
)
from harmonies_core.grid cimport Mask, bit, cell_index, popcount
from harmonies_core.state cimport (
    A_CUBE, A_END, A_PLACE, CHANCE, IN_TURN, MAX_HELD, OVER, Player, action_cell, action_code,
    action_first, action_kind, flip_in_set, hold_card, in_set, init_state,
)
from harmonies_core.validation cimport check_state

import re
from functools import lru_cache

from harmonies_core.board import LEGAL_STACKS, STACK_OF_KIND
from harmonies_core.board import TOKEN_LETTERS as LETTERS
from harmonies_core.cards import BUILTIN_PACKS, Pack
from harmonies_core.errors import HarmoniesError, NotationError, PositionError
from harmonies_core.grid import SIDE_COLUMNS, cell_name, parse_cell

_ACTION = re.compile(
    r"(?P<kind>[sg+-])(?P<number>[1-9][0-9]{0,2})|(?P<token>[WMTLFR])(?P<cell>[a-g][1-5])"
    r"|(?P<card>[1-9][0-9]{0,2})@(?P<cube>[a-g][1-5])|(?P<end>end)",
    re.ASCII,
)
_CHANCE = re.compile(
    r"(?P<groups>[WMTLFR]{3}(?:\.[WMTLFR]{3}){0,4})?(?P<cards>(?:\+[1-9][0-9]{0,2}){0,5})"
    r"(?:s(?P<first>[1-9][0-9]{0,2})\.(?P<second>[1-9][0-9]{0,2}))?",
    re.ASCII,
)
_RULES = re.compile(r"([1-4])([AB])(s?)(l?)(?::(\S+))?", re.ASCII)
_CELL = re.compile(r"([1-9])|([a-z]*[A-Z])([*^]?)", re.ASCII)
_HELD = re.compile(r"([1-9][0-9]{0,2})(?:x([0-9]))?", re.ASCII)
_PHASE = re.compile(
    r"(?P<rest>-|deal|over)|s(?P<first>[1-9][0-9]{0,2})\.(?P<second>[1-9][0-9]{0,2})"
    r"|(?:g(?P<space>[1-5])(?::(?P<hand>[WMTLFR]{1,3}))?)?(?P<taken>[+-]?)",
    re.ASCII,
)
_COUNTS = re.compile(r"(?:[WMTLFR](?:0|[1-9][0-9]?))*", re.ASCII)


def shown(text, int most=40):
    """A piece of someone's text, quoted, cut to a length fit for one line of a message."""
    text = ascii(text)
    return text if len(text) <= most else text[:most - 4] + "...'"


cdef str action_text(uint16_t action):
    """Text of one action code."""
    cdef int kind = action_kind(action), first = action_first(action)
    if kind == A_PLACE:
        return LETTERS[first] + cell_name(action_cell(action))
    if kind == A_CUBE:
        return f"{first}@{cell_name(action_cell(action))}"
    if kind == A_END:
        return "end"
    return "sg.+.-"[kind] + str(first)


cdef int parse_action(str text) except -1:
    """Action code of a text; NotationError."""
    match = _ACTION.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{shown(text)} is no action (expected one such as s34, g2, Wc3, +17, 17@c3, -17, end)"
        )
    if match["end"]:
        return action_code(A_END, 0, 0)
    if match["token"] or match["card"]:
        name = match["cell"] or match["cube"]
        cell = parse_cell(name)
        if cell < 0:
            raise NotationError(f"{shown(text)}: {name} is no cell")
        if match["token"]:
            return action_code(A_PLACE, LETTERS.index(match["token"]), cell)
        return action_code(A_CUBE, card_number(match["card"], text), cell)
    number = card_number(match["number"], text)
    return action_code("sg.+.-".index(match["kind"]), number, 0)


def card_number(digits, text) -> int:
    """A card number from 1 to 127; NotationError names the text it stands in."""
    number = int(digits)
    if number > 127:
        raise NotationError(f"{shown(text)}: {number} is no card number (1 to 127)")
    return number


def parse_turn(text) -> tuple:
    """(action codes, chance part or None, kept open) of a word; NotationError."""
    if not isinstance(text, str):
        raise NotationError(f"a turn is text, not {type(text).__name__}")
    if len(text) > 400:
        raise NotationError(f"{shown(text)}: no turn is {len(text)} characters long")
    word, slash, chance = text.partition("/")
    if slash:
        parse_chance(chance)
    kept_open = word.endswith(",")
    if kept_open:
        if slash:
            raise NotationError(f"{shown(text)}: a turn kept open has no chance part")
        word = word[:-1]
    codes = tuple(parse_action(part) for part in word.split(","))
    end = action_code(A_END, 0, 0)
    if end in codes[:-1] or (kept_open and codes[-1] == end):
        raise NotationError(f"{shown(text)}: 'end' is the last word of a turn")
    if len(codes) > 60:
        raise NotationError(f"{shown(text)}: no turn has {len(codes)} actions")
    return codes, (chance if slash else None), kept_open


def parse_chance(text) -> tuple:
    """(groups of three colours ascending, cards, pair or None) of a chance part."""
    match = _CHANCE.fullmatch(text) if isinstance(text, str) and len(text) < 100 else None
    if match is None:
        raise NotationError(f"{shown(text)} is no chance part (expected one such as WMT+21)")
    groups = tuple(
        tuple(sorted(LETTERS.index(letter) for letter in group))
        for group in (match["groups"].split(".") if match["groups"] else ())
    )
    cards = tuple(card_number(digits, text) for digits in match["cards"].split("+")[1:])
    pair = None
    if match["first"]:
        pair = tuple(sorted(card_number(match[name], text) for name in ("first", "second")))
    return groups, cards, pair


cdef str group_text(const uint8_t* group):
    if group[0] == NO_TOKEN:
        return "-"
    return LETTERS[group[0]] + LETTERS[group[1]] + LETTERS[group[2]]


cdef str chance_text(Rules rules, const State* before, const State* after):
    """What was revealed between two states."""
    cdef int i
    groups = []
    cards = ""
    for i in range(rules.table.spaces):
        if before.centre[i][0] == NO_TOKEN and after.centre[i][0] != NO_TOKEN:
            groups.append(group_text(after.centre[i]))
        if before.row[i] == 0 and after.row[i] != 0:
            cards += f"+{after.row[i]}"
    pair = ""
    if before.pair[0] == 0 and after.pair[0] != 0:
        pair = f"s{after.pair[0]}.{after.pair[1]}"
    return ".".join(groups) + cards + pair


cdef str stack_text(const Player* p, Mask cell):
    """Stack on a cell, bottom to top; "" if it is empty."""
    cdef int kind = kind_at(&p.board, cell)
    if kind == K_BLD:
        return "TR" if p.board.on_trunk & cell else "MR" if p.board.on_mountain & cell else "RR"
    return STACK_OF_KIND[kind]


cdef str player_text(Rules rules, const Player* p):
    cdef int column, row, empties, card, i
    cdef Mask cell
    columns = []
    for column, height in enumerate(SIDE_COLUMNS[rules.side]):
        text = ""
        empties = 0
        for row in range(height):
            cell = bit(cell_index(column, row))
            stack = stack_text(p, cell)
            if not stack:
                empties += 1
                continue
            if empties:
                text += str(empties)
                empties = 0
            text += stack[:-1].lower() + stack[-1]
            if p.board.cubes & cell:
                text += "^" if p.board.spirit_cube & cell else "*"
        columns.append(text + (str(empties) if empties else ""))
    cards = []
    for card in range(1, 128):
        placed = 0
        if in_set(p.done, card):
            placed = rules.table.card[card].n_cubes
        elif p.spirit == card:
            placed = 1 if p.board.spirit_cube else 0
        else:
            for i in range(MAX_HELD):
                if p.card[i] == card:
                    placed = p.placed[i]
                    break
            else:
                continue
        cards.append(f"{card}x{placed}" if placed else str(card))
    return "/".join(columns) + "|" + (",".join(cards) or "-")


cdef str phase_text(const State* s):
    cdef int i
    if s.phase == CHANCE:
        return "deal"
    if s.phase == OVER:
        return "over"
    if s.pair[0]:
        return f"s{s.pair[0]}.{s.pair[1]}"
    text = ""
    if s.progress.space:
        text = f"g{s.progress.space}"
        if s.progress.n_hand:
            text += ":"
        for i in range(s.progress.n_hand):
            text += LETTERS[s.progress.hand[i]]
    if s.progress.card_taken:
        text += "+"
    if s.progress.discarded:
        text += "-"
    return text or "-"


def rules_text(Rules rules) -> str:
    """The first field of an HFEN."""
    text = f"{rules.players}{rules.side}{'s' if rules.spirits else ''}"
    text += "l" if rules.river == "loop" else ""
    return text if rules.packs == ("base",) else f"{text}:{'+'.join(rules.packs)}"


cdef void rest_of_deck(Rules rules, const State* s, uint64_t* rest) noexcept:
    """Animal cards that are neither in the row nor with a player."""
    cdef int i, j
    rest[0] = rules.table.animals[0]
    rest[1] = rules.table.animals[1]
    for i in range(rules.table.spaces):
        if s.row[i] and in_set(rest, s.row[i]):
            flip_in_set(rest, s.row[i])
    for i in range(rules.players):
        rest[0] &= ~s.player[i].done[0]
        rest[1] &= ~s.player[i].done[1]
        for j in range(MAX_HELD):
            if s.player[i].card[j] and in_set(rest, s.player[i].card[j]):
                flip_in_set(rest, s.player[i].card[j])


cdef str hfen_text(Rules rules, const State* s):
    """One line for a whole position."""
    cdef int i
    cdef uint64_t rest[2]
    fields = [rules_text(rules)]
    for i in range(rules.players):
        fields.append(player_text(rules, &s.player[i]))
    fields.append(",".join([group_text(s.centre[i]) for i in range(rules.table.spaces)]))
    fields.append(",".join([str(s.row[i]) if s.row[i] else "-" for i in range(rules.table.spaces)]))
    fields += [str(s.seat + 1), str(s.turn), phase_text(s)]
    if rules.solo:
        fields.append("bag:" + "".join([
            LETTERS[i] + str(s.bag[i]) for i in range(6) if s.bag[i]
        ]))
    rest_of_deck(rules, s, rest)
    if rest[0] != s.unseen[0] or rest[1] != s.unseen[1]:
        fields.append("unseen:" + ",".join([
            str(i) for i in range(1, 128) if in_set(s.unseen, i)
        ]))
    return " ".join(fields)


# ---- reading ------------------------------------------------------------------------------


def parse_rules(text, packs=()) -> Rules:
    """Rules of the first field; `packs` are Pack objects the text may name."""
    # Compiling the cards takes far longer than reading the rest of a position, and Rules do not
    # change: those of built-in packs are kept.
    return _rules_of(text, tuple(packs)) if packs else _builtin_rules(text)


@lru_cache(maxsize=64)
def _builtin_rules(text):
    return _rules_of(text, ())


def _rules_of(text, packs):
    match = _RULES.fullmatch(text)
    if match is None:
        raise PositionError(
            f"rules: {shown(text)} (expected players 1-4, side A or B, s with spirits, l for the "
            "loop rule, such as 2A or 3Bs:base+pulse)"
        )
    names = match[5].split("+") if match[5] else ["base"]
    if not all(isinstance(pack, Pack) for pack in packs):
        raise PositionError("packs: Pack objects expected, as load_pack makes them")
    known = {pack.name: pack for pack in packs}
    chosen = []
    for name in names:
        if name not in known and name not in BUILTIN_PACKS:
            raise PositionError(
                f"rules: no card pack {shown(name)} (known: "
                f"{', '.join([*BUILTIN_PACKS, *known])})"
            )
        chosen.append(known.get(name, name))
    try:
        return Rules(int(match[1]), match[2], spirits=bool(match[3]), packs=tuple(chosen),
                     river="loop" if match[4] else "diameter")
    except HarmoniesError as error:
        raise PositionError(f"rules: {error}") from None


cdef int known_card(Rules rules, digits, where, text) except -1:
    number = int(digits)
    if number > 127 or not rules.table.card[number].exists:
        raise PositionError(
            f"{where}: {shown(text)}: no card {number} in {'+'.join(rules.packs)}"
        )
    return number


cdef int parse_board(Rules rules, Player* p, str text, str where) except -1:
    cdef int column, row, at
    cdef Mask cell
    columns = text.split("/")
    heights = SIDE_COLUMNS[rules.side]
    if len(columns) != len(heights):
        raise PositionError(
            f"{where}: {len(columns)} columns, side {rules.side} has {len(heights)}"
        )
    clear_board(&p.board, rules.table.side)
    for column, height in enumerate(heights):
        row = 0
        at = 0
        letter = "abcdefg"[column]
        while at < len(columns[column]):
            match = _CELL.match(columns[column], at)
            if match is None:
                raise PositionError(
                    f"{where}: column {letter}: {shown(columns[column][at:])} (expected a number "
                    "of empty cells, or a stack such as W, ttL, mR)"
                )
            at = match.end()
            if match[1]:
                row += int(match[1])
                continue
            stack = match[2].upper()
            if stack not in LEGAL_STACKS:
                raise PositionError(
                    f"{where}: column {letter}: {shown(match[2])} is no legal stack"
                )
            if row >= height:
                row += 1
                break
            cell = bit(cell_index(column, row))
            set_stack(&p.board, cell, stack)
            if match[3]:
                p.board.cubes |= cell
            if match[3] == "^":
                if p.board.spirit_cube:
                    raise PositionError(f"{where}: two spirit cubes")
                p.board.spirit_cube = cell
            row += 1
        if row != height or at != len(columns[column]):
            raise PositionError(
                f"{where}: column {letter}: {shown(columns[column])} is not {height} cells"
            )
    return 0


cdef int parse_hand(Rules rules, Player* p, str text, str where) except -1:
    cdef int card, placed, active = 0
    seen = set()
    if text == "-":
        text = ""
    for part in text.split(",") if text else ():
        match = _HELD.fullmatch(part)
        if match is None:
            raise PositionError(f"{where}: {shown(part)} is no card (expected such as 17 or 17x2)")
        card = known_card(rules, match[1], where, part)
        placed = int(match[2]) if match[2] else 0
        if card in seen:
            raise PositionError(f"{where}: card {card} is held twice")
        seen.add(card)
        if placed > rules.table.card[card].n_cubes:
            raise PositionError(
                f"{where}: {shown(part)}: card {card} has {rules.table.card[card].n_cubes} cubes"
            )
        if rules.table.card[card].is_spirit:
            if p.spirit:
                raise PositionError(f"{where}: two spirits, {p.spirit} and {card}; one is kept")
            p.spirit = card
            if bool(placed) != bool(p.board.spirit_cube):
                raise PositionError(
                    f"{where}: the spirit cube is {'on' if p.board.spirit_cube else 'not on'} the "
                    f"board, card {card} says otherwise"
                )
        if placed == rules.table.card[card].n_cubes:
            if not rules.table.card[card].is_spirit:
                flip_in_set(p.done, card)
                p.done_points += rules.table.card[card].points[placed]
            continue
        active += 1
        if active > MAX_HELD:
            raise PositionError(f"{where}: more than {MAX_HELD} uncompleted cards")
        hold_card(p, card, placed)
    if p.board.spirit_cube and not p.spirit:
        raise PositionError(f"{where}: a spirit cube, but no spirit card")
    p.n_cubes = popcount(p.board.cubes)
    return 0


cdef int parse_centre(Rules rules, State* s, str text) except -1:
    slots = text.split(",")
    if len(slots) != rules.table.spaces:
        raise PositionError(f"centre: {len(slots)} spaces, expected {rules.table.spaces}")
    for i, slot in enumerate(slots):
        if slot == "-":
            continue
        if len(slot) != 3 or any(letter not in LETTERS for letter in slot):
            raise PositionError(
                f"centre: {shown(slot)} in space {i + 1} (expected three of {LETTERS}, or -)"
            )
        for j, token in enumerate(sorted(LETTERS.index(letter) for letter in slot)):
            s.centre[i][j] = token
    return 0


cdef int parse_row(Rules rules, State* s, str text) except -1:
    places = text.split(",")
    if len(places) != rules.table.spaces:
        raise PositionError(f"row: {len(places)} places, expected {rules.table.spaces}")
    for i, place in enumerate(places):
        if place == "-":
            continue
        if not re.fullmatch(r"[1-9][0-9]{0,2}", place, re.ASCII):
            raise PositionError(f"row: {shown(place)} (expected a card number, or -)")
        s.row[i] = known_card(rules, place, "row", place)
        if rules.table.card[s.row[i]].is_spirit:
            raise PositionError(f"row: card {place} is a spirit")
    return 0


cdef int parse_phase(Rules rules, State* s, str text) except -1:
    match = _PHASE.fullmatch(text)
    if match is None or not text or text.startswith("g") and match["space"] is None:
        raise PositionError(
            f"phase: {shown(text)} (expected -, s33.41, g2:FM, g2+, +, deal or over)"
        )
    s.phase = IN_TURN
    if match["rest"]:
        s.phase = {"-": IN_TURN, "deal": CHANCE, "over": OVER}[match["rest"]]
        return 0
    if match["first"]:
        for i, number in enumerate(sorted(int(match[name]) for name in ("first", "second"))):
            s.pair[i] = known_card(rules, number, "phase", text)
            if not rules.table.card[s.pair[i]].is_spirit:
                raise PositionError(f"phase: card {number} is no spirit")
        if s.pair[0] == s.pair[1]:
            raise PositionError(f"phase: spirit {s.pair[0]} twice")
        return 0
    if match["space"]:
        s.progress.space = int(match["space"])
        if s.progress.space > rules.table.spaces:
            raise PositionError(f"phase: no space {s.progress.space}")
        if match["hand"]:
            for i, letter in enumerate(sorted(match["hand"], key=LETTERS.index)):
                s.progress.hand[i] = LETTERS.index(letter)
            s.progress.n_hand = len(match["hand"])
    if match["taken"] == "+":
        s.progress.card_taken = 1
    elif match["taken"] == "-":
        if not rules.solo or not s.progress.space or s.progress.n_hand:
            raise PositionError(f"phase: {shown(text)}: a discard ends a turn of solo mode")
        s.progress.discarded = 1
    return 0


cdef int parse_bag(Rules rules, State* s, text) except -1:
    cdef int counts[6]
    cdef int i
    if text is not None:
        if not _COUNTS.fullmatch(text):
            raise PositionError(f"bag: {shown(text)} (expected counts such as W20M19T18L15F17R12)")
        given = re.findall(r"([WMTLFR])([0-9]+)", text)
        if len({letter for letter, _ in given}) != len(given):
            raise PositionError(f"bag: {shown(text)} names a token twice")
        for i in range(6):
            s.bag[i] = 0
        for letter, number in given:
            s.bag[LETTERS.index(letter)] = int(number)
        return 0
    if rules.solo and s.turn > 1:
        raise PositionError(
            "bag: needed in solo mode after the first turn, because tokens leave the game"
        )
    for i in range(6):
        counts[i] = 0
    for i in range(rules.players):
        count_tokens(&s.player[i].board, counts)
    for i in range(rules.table.spaces):
        for j in range(3):
            if s.centre[i][j] != NO_TOKEN:
                counts[s.centre[i][j]] += 1
    for i in range(s.progress.n_hand):
        counts[s.progress.hand[i]] += 1
    for i in range(6):
        if counts[i] > s.bag[i]:
            raise PositionError(
                f"bag: {counts[i]} tokens {LETTERS[i]} are in sight, the game has {s.bag[i]}"
            )
        s.bag[i] -= counts[i]
    return 0


cdef int parse_unseen(Rules rules, State* s, text) except -1:
    cdef uint64_t rest[2]
    cdef int card
    rest_of_deck(rules, s, rest)
    if text is None:
        s.unseen[0] = rest[0]
        s.unseen[1] = rest[1]
        return 0
    s.unseen[0] = 0
    s.unseen[1] = 0
    for part in text.split(",") if text else ():
        if not re.fullmatch(r"[1-9][0-9]{0,2}", part, re.ASCII):
            raise PositionError(f"unseen: {shown(part)} (expected card numbers joined by commas)")
        card = known_card(rules, part, "unseen", part)
        if rules.table.card[card].is_spirit:
            raise PositionError(f"unseen: card {card} is a spirit")
        if in_set(s.unseen, card):
            raise PositionError(f"unseen: card {card} twice")
        if not in_set(rest, card):
            raise PositionError(f"unseen: card {card} is in sight")
        flip_in_set(s.unseen, card)
    return 0


def seed_of(text):
    """The number of an HFEN's `seed:` field, None without one; PositionError if malformed."""
    for field in text.split(" "):
        if field.startswith("seed:"):
            if not re.fullmatch(r"[0-9]{1,18}", field[5:], re.ASCII):
                raise PositionError(f"seed: {shown(field[5:])} (expected up to 18 digits)")
            return int(field[5:])
    return None


cdef Rules parse_hfen(str text, packs, State* s):
    """Fill a state from a line and return its rules; PositionError names the field."""
    cdef Rules rules
    cdef int i
    if len(text) > 4000:
        raise PositionError(f"position: {len(text)} characters, no position is that long")
    fields = text.strip(" \t\r\n").split(" ")
    if "" in fields:
        raise PositionError(
            "position: empty" if fields == [""] else "position: two spaces between fields"
        )
    rules = parse_rules(fields[0], packs)
    init_state(&rules.table, s)
    extra = {}
    while fields and ":" in fields[-1] and fields[-1].split(":")[0] in ("bag", "unseen", "seed"):
        name, _, value = fields.pop().partition(":")
        if name in extra:
            raise PositionError(f"{name}: given twice")
        if extra and ("bag", "unseen", "seed").index(name) > ("bag", "unseen", "seed").index(
                next(reversed(extra))):
            raise PositionError(f"{name}: out of order (expected bag:, unseen:, seed:)")
        extra[name] = value
    if len(fields) != rules.players + 6:
        raise PositionError(
            f"position: {len(fields)} fields, expected {rules.players + 6}: rules, "
            f"{rules.players} player{'s' if rules.players > 1 else ''}, centre, row, seat, turn, "
            "phase"
        )
    for i in range(rules.players):
        where = f"player {i + 1}"
        board, bar, hand = fields[1 + i].partition("|")
        if not bar or not hand:
            raise PositionError(f"{where}: {shown(fields[1 + i])} has no '|' with cards or - after")
        parse_board(rules, &s.player[i], board, where)
        parse_hand(rules, &s.player[i], hand, where)
    after = fields[rules.players + 1:]
    centre, row, seat, turn, phase = after
    parse_centre(rules, s, centre)
    parse_row(rules, s, row)
    if not re.fullmatch(f"[1-{rules.players}]", seat, re.ASCII):
        raise PositionError(f"seat: {shown(seat)} (expected 1 to {rules.players})")
    if not re.fullmatch(r"[1-9][0-9]{0,2}", turn, re.ASCII):
        raise PositionError(f"turn: {shown(turn)} (expected 1 to 999)")
    s.seat = int(seat) - 1
    s.turn = int(turn)
    parse_phase(rules, s, phase)
    if "seed" in extra:
        seed_of("seed:" + extra["seed"])
    parse_bag(rules, s, extra.get("bag"))
    parse_unseen(rules, s, extra.get("unseen"))
    check_state(rules, s)
    return rules
