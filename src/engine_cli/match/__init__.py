"""Tournaments of engines: schedule, referee, statistics, records, resume."""
