"""IMDB-BINARY: 1,000 networks of actors (Yanardag and Vishwanathan 2015); its vertices have no labels."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "IMDB-BINARY",
    "IMDB-BINARY",
    "actors who appeared together: action or romance?",
    graphs=1000,
    classes=2,
    place=70,
    aliases=("IMDB", "IMDB-B"),
    checksum="d2557ab61339f0d9e33e3518191e5149b2a8a461e9a08f5046c1f31c723c944b",
)
