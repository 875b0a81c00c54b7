"""Routes, one module for each thing that is asked for."""
