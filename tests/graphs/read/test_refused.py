"""Formats that are recognised and not read are refused by their names, by content or by the file's name."""

import gzip
import json

import pytest

from mivspool.errors import ReadError
from mivspool.graphs.read import FORMATS, read_graphs
from mivspool.graphs.read.parts.refused import REFUSED
from tests.graphs.read.cases import zipped


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x", "3\nwater\nO 0.0 0.0 0.1\nH 0.0 0.7 -0.4\nH 0 -0.7 -0.4\n", "XYZ"),
        ("x.txt", "*node data\nID name\n1 a\n*tie data\n1 2\n", "VNA"),
        ("x", '(tlp "2.3"\n(nodes 0 1)\n(edge 0 0 1)\n)', "TLP"),
        ("x.txt", "@prefix a: <http://example.org/> .\na:b a:c a:d .\n", "RDF"),
        ("x.txt", "<http://a> <http://b> <http://c> .\n", "RDF"),
        ("x.txt", "((a:1,b:2):1,c:3);\n", "Newick"),
        ("x.txt", "#NEXUS\nbegin trees;\n", "NEXUS"),
        ("x.txt", "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3\n", "InChI"),
        ("x.txt", "graph TD\nA-->B\n", "Mermaid"),
        ("x.txt", "@startuml\na -> b\n@enduml\n", "PlantUML"),
        ("x.fasta", ">a\nMKV\n", "FASTA"),
        ("x.xgmml", '<?xml version="1.0"?><graph xmlns="http://www.cs.rpi.edu/XGMML"/>', "XGMML"),
        ("x.xml", "<kml/>", "KML"),
        ("x.json", json.dumps({"mode": "NORMAL", "vertices": [], "edges": []}), "nodes|GraphSON"),
        ("x.json", json.dumps({"type": "FeatureCollection", "features": []}), "GeoJSON"),
        ("x.json", json.dumps({"@context": {}, "@graph": []}), "JSON-LD"),
        ("x.cx2", json.dumps([{"CXVersion": "2.0"}, {"nodes": []}]), "CX"),
        ("x.zip", zipped({"Project_xml": "x"}), "Gephi project"),
        ("x.ods", zipped({"mimetype": "application/x", "content.xml": "<x/>"}), "Office"),
        ("x.mat", "a b\n", "MATLAB"),
        ("x.mat", b"MATLAB 5.0 MAT-file" + bytes(range(256)), "MATLAB"),
        ("x.docx", b"PK\x03\x04 and no archive", "Office"),
        ("x.cys", zipped({"a/b.xml": "<x/>"})[:40], "Cytoscape session"),
        ("x.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "Office"),
        ("x.zip", zipped({"report.docx": zipped({"[Content_Types].xml": "x"})}), "Office"),
        ("x.zip", zipped({"report.docx": b"PK\x03\x04 and no archive"}), "Office"),
        ("x.rds", gzip.compress(b"RDX3\n" + bytes(range(32)) * 9, mtime=0), "an R object"),
    ],
)
def test_refused_by_name(name, content, words):
    with pytest.raises(ReadError, match=words):
        read_graphs(content.encode() if isinstance(content, str) else content, name)


def test_what_is_read_is_not_refused():
    read = {extension for format in FORMATS.values() for extension in format.extensions}
    refused = [extension for format in REFUSED for extension in format.extensions]
    assert len(set(refused)) == len(refused)
    assert not read & set(refused)
    assert read_graphs(b"graph TD { a -- b }", "x.dot")[0].num_edges == 1
