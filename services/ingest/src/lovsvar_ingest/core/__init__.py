"""Reading Lovdata's documents and keeping the stored corpus equal to them: pure."""
