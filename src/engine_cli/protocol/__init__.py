"""A UHI session: read requests, keep the game, answer (docs/protocol.md).

`Session` takes lines and an `Output`, so it runs without a process; `serve` ties one to the
standard streams. The only other thread is the one of a running search (`job`).
"""
