"""Checks any engine against docs/protocol.md, step by step."""
