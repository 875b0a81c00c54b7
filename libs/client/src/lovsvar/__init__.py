"""Lovsvar, from a program of your own: `lovsvar.client`."""
