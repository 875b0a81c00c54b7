"""Products of catalogues beside the legal answer: found, chosen by their ids, and shown as the catalogue has them."""
