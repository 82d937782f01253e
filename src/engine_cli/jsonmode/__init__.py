"""Analysis of many positions at once: JSON in, JSON out, a line each (docs/json.md).

`server` reads lines, `query` and `actions` say what they mean, `tasks` keeps what is to be
done, `workers` do it, and `answers` puts the outcome into words.
"""
