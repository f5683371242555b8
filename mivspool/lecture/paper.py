"""The paper that the method is from, as every page cites it."""

TITLE = "Maximal Independent Vertex Set applied to Graph Pooling"
AUTHORS = ("Stevan Stanovic", "Benoit Gaüzère", "Luc Brun")
YEAR = 2022
ARXIV = "2208.01648"
ADDRESS = f"https://arxiv.org/abs/{ARXIV}"
CITATION = f"The method: S. Stanovic, B. Gaüzère and L. Brun, “{TITLE}”, {YEAR}, arXiv:{ARXIV}."
BIBTEX = f"""@misc{{stanovic{YEAR}mivs,
  title = {{{TITLE}}},
  author = {{{" and ".join(", ".join(reversed(name.rsplit(" ", 1))) for name in AUTHORS)}}},
  year = {{{YEAR}}},
  eprint = {{{ARXIV}}},
  archivePrefix = {{arXiv}}
}}"""
