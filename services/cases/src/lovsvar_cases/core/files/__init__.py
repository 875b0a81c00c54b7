"""Documents that are handed in to a case: what they are, their pages, how they are searched and quoted. Pure."""
