"""Which SQL of a model is carried out: an allowlist over the whole tree of one statement."""
