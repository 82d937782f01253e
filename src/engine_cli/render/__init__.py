"""Pictures of positions: text for terminals, SVG for everything else."""
