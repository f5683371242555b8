"""``mivspool convert``: what it writes reads back to the same graph, in the format that was asked for."""

from __future__ import annotations

import pytest

from mivspool.cli import main
from mivspool.graphs import open_source
from mivspool.graphs.export import WRITERS, write_graph


@pytest.mark.parametrize("format", WRITERS)
def test_the_output_s_extension_or_to_says_the_format(format, tmp_path, capfdbinary):
    expected = write_graph(open_source("MAO:3"), format).encode()
    file = tmp_path / f"molecule{WRITERS[format].extension}"
    assert main(["convert", "MAO:3", "-o", str(file)]) == 0
    assert file.read_bytes() == expected
    capfdbinary.readouterr()
    assert main(["convert", "MAO:3", "--to", format]) == 0
    assert capfdbinary.readouterr().out == expected


def test_a_format_that_is_not_known_is_refused_with_those_that_are(tmp_path, capsys):
    for arguments in ([], ["-o", str(tmp_path / "molecule.unknown")], ["--to", "drawing"]):
        assert main(["convert", "MAO:3", *arguments]) == 2
        assert "graphml, node-link, gexf, gml, csv" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_was_mended_is_said_beside_the_file(tmp_path, capsys):
    (tmp_path / "loop.csv").write_text("a,b\nb,b\n")
    assert main(["convert", str(tmp_path / "loop.csv"), "--to", "gml"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Creator")
    assert err.startswith("repaired: ")
