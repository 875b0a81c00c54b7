"""The tools of the agent: one module each, and their registry."""
