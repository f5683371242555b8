"""The process that serves the app: its start, the checks on each request, and garbage collection."""
