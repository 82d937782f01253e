"""Self-play training that produces the weights."""
