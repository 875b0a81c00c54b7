"""The MCP server: Norwegian law as tools, resources and a prompt for language models. Their text is in `core/mcp`."""
