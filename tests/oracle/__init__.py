"""A slow, obvious implementation of the rules, written apart from the engine to test it against.

Cells are names ("c3"), stacks are strings from bottom to top ("TTL"), a board is a
``dict[str, str]`` of its cells that are not empty. Nothing here is fast and nothing is clever.
"""
