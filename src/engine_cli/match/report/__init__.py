"""The report of a tournament: one HTML page that needs nothing else."""
