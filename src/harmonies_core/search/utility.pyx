"""What a searcher maximises, and chances of winning from expected points.

Final scores are taken as normals. Their spread is what the value function says, the spread of a
margin a little less than independence would make it.
"""

from libc.math cimport erf, sqrt

# A normal's standard deviation over its mean absolute error.
cdef double SD_PER_ERROR = 1.2533141373155
# Share of equal scores that the cubes do not decide (RULES.md, end of the game).
cdef double SHARED = 0.2
# Points that the spread of a margin stays below. Scores of one game go together (its length, its
# tokens), and the network has seen weak players too; docs/results.md has what it was fitted to.
cdef double MARGIN_SD = 23
# Whoever chooses a turn by estimates takes one that is estimated too high: share of the spread by
# which its margin is less than expected. It is this much where all but the choice is known, and
# nothing where the scores, taken as independent, differ by so many points for other reasons; both
# fitted to games (docs/results.md).
cdef double OPTIMISM = 0.28
cdef double OPTIMISTIC_SD = 15


cdef double sd_of_error(double error) noexcept nogil:
    """Standard deviation for a mean absolute error, both in points."""
    return SD_PER_ERROR * (error if error > 0 else 0)


cdef inline double margin_sd(double sd, double other) noexcept nogil:
    """Standard deviation of the difference of two final scores, never 0."""
    cdef double v = sd * sd + other * other
    return sqrt(v / (1 + v / (MARGIN_SD * MARGIN_SD)) + 0.1)


cdef inline double below(double z) noexcept nogil:
    return 0.5 * (1 + erf(z * 0.7071067811865476))


cdef double win_chance(const double* value, const double* sd, int n, int seat) noexcept nogil:
    """Chance that a seat is ahead of every other, half of a tie included."""
    cdef double chance = 1
    cdef int i
    for i in range(n):
        if i != seat:
            chance *= below((value[seat] - value[i]) / margin_sd(sd[i], sd[seat]))
    return chance


cdef void set_chances(Outlook* x, int n, int seat, int turn, bint chosen) noexcept nogil:
    """Set win, draw and loss of a seat from the points and spreads of all.

    turn: of the seat, from 1. Landscapes differ by as much as turns were made, what is wrong with
    their estimates is as large from the beginning: so of a difference that is seen in turn t the
    share t² / (t² + 1) is to be believed (docs/results.md). chosen: whether it is what is expected
    after a turn that the seat would choose.
    """
    cdef double ahead = 1, level = 1, spread, v, d
    cdef double believed = turn * turn / (turn * turn + 1.0)
    cdef int i
    if n == 1:
        x.win[0] = 1
        x.win[1] = 0
        x.win[2] = 0
        return
    for i in range(n):
        if i != seat:
            spread = margin_sd(x.sd[i], x.sd[seat])
            d = x.points[seat] - x.points[i]
            if chosen:
                v = x.sd[i] * x.sd[i] + x.sd[seat] * x.sd[seat]
                d -= OPTIMISM * spread * max(0.0, 1 - v / (OPTIMISTIC_SD * OPTIMISTIC_SD))
            if x.sd[i] + x.sd[seat] > 0:
                d *= believed       # points that are known are no estimate
            ahead *= below((d - 0.5) / spread)
            level *= below((d + 0.5) / spread)
    # `level` counts ties as won: the difference is the chance of a tie for the first place.
    x.win[1] = SHARED * (level - ahead)
    x.win[0] = ahead + (1 - SHARED) / 2 * (level - ahead)
    x.win[2] = 1 - x.win[0] - x.win[1]
