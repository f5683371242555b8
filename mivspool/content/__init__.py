"""What pages show and say that more than one face has: the app's pages and those of the static site are made of it.

Words, tables and sentences as plain data and HTML. It knows nothing of Streamlit, and nothing of the site.
"""
