"""The browser app: ``mivspool app``."""
