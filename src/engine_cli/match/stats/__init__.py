"""What the results of a tournament mean, and how sure that is."""
