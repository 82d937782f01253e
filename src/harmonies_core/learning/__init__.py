"""TD learning of the value function from self-play."""
