"""What is learned from: the view of one seat at the end of somebody's turn, and what came of it."""

from libc.stdint cimport uint16_t

cdef enum:
    MAX_LIST = 288              # active features of one sample, generously
    NO_FINAL = -100


cdef struct Sample:
    float target                # tens of points still to come, to learn from
    float final                 # tens of points that did come; below NO_FINAL if not known
    uint16_t empties            # empty cells of the landscape
    uint16_t n
    uint16_t active[288]        # rows of the first layer; a row may occur more than once


cdef struct Moment:
    # A sample as it was met in a game.
    int game                    # number of the game in its run
    int seat                    # from 0
    float points                # of the seat now
    float guess                 # points still to come, as predicted then
    float instead               # expected final points if the seat's next turn was a whim, else < 0
    Sample sample
