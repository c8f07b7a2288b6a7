"""Servers for agents, programs and people: MCP, HTTP API and catalog UI over one session."""
