"""An answer's blocks as plain text, as HTML and as Markdown: pure functions, without I/O."""
