"""Work in a case: its phases, its two models, and what is done when a tool fails."""
