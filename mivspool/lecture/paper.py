"""The paper that the method is from, as every page cites it."""

CITATION = "The method: S. Stanovic, B. Gaüzère and L. Brun, “Maximal Independent Vertex Set applied to Graph Pooling”."
