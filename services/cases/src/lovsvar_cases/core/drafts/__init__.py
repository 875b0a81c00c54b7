"""Drafts: Markdown with placeholders in, letters, pleadings and agreements out."""
