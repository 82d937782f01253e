"""Training of the weights: folders, checkpoints, curves and display around the core's runs."""
