"""How a seed deals, from docs/notation.md."""

MASK = 2**64 - 1


def splitmix(state):
    """Numbers of SplitMix64."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def shuffled(items, seed, stream):
    """The items in the order in which this stream of the seed deals them."""
    items = list(items)
    numbers = splitmix(next(splitmix(4 * seed + stream)))
    for i in range(len(items) - 1):
        j = i + ((next(numbers) >> 32) * (len(items) - i) >> 32)
        items[i], items[j] = items[j], items[i]
    return items
