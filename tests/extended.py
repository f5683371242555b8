"""Used by ``test_extending.py`` in a process of its own: what docs/extending.md adds, used by one face of the project.

The first argument is the folder with the package, the second the face.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

DIGITS = b"digits: 4711\n"


def on_the_command_line(folder: Path) -> None:
    """Each thing by a command."""
    from mivspool.cli import main

    def printed(*arguments: str) -> str:
        out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        with contextlib.redirect_stdout(out):
            assert main(arguments) == 0, arguments
        return out.buffer.getvalue().decode()

    level = json.loads(printed("step", "karate", "--score", "place", "--json"))["levels"][0]
    assert level["survivors"][0] == level["nodes"][0]
    assert level["checks"] == {"independent": True, "maximal": True}
    level = json.loads(printed("step", "wheel-6", "--score", "degree", "--json"))["levels"][0]
    assert level["survivors"] == ["0"]
    listed = json.loads(printed("datasets", "--json"))["wheels"]
    assert [graph["name"] for graph in listed] == [f"wheel-{spokes}" for spokes in range(4, 9)]
    (row,) = json.loads(printed("compare", "wheel-6", "--methods", "hubs", "--json"))["methods"]
    assert (row["name"], len(row["survivors"])) == ("hubs", 4)
    assert printed("train", "MAO", "--method", "hubs", "--max-epochs", "1", "--hidden", "8")
    (folder / "path.digits").write_bytes(DIGITS)
    read = json.loads(printed("read", str(folder / "path.digits"), "--json"))
    assert (read["format"], read["num_nodes"], read["num_edges"]) == ("digits", 3, 2)
    assert printed("convert", "wheel-6", "--to", "count") == "7 12\n"


def through_the_api(folder: Path) -> None:
    """Each thing that the API takes by name or as a file; jobs are done by a worker's own function."""
    from fastapi.testclient import TestClient

    from mivspool.service.app import create_app
    from mivspool.service.work import perform
    from mivspool.settings import Settings

    made = create_app(Settings(home=folder / "home"), run_jobs=False)
    with TestClient(made, base_url="http://127.0.0.1") as client:
        assert client.get("/v1/datasets/wheel-6/graphs/0").json()["nodes"] == list("0123456")
        sent = client.post("/v1/datasets", files={"file": ("path.txt", DIGITS)})
        assert sent.status_code == 201, sent.text
        (graph,) = client.get(f"/v1/datasets/{sent.json()['name']}/graphs").json()["graphs"]
        assert (graph["num_nodes"], graph["num_edges"]) == (3, 2)
        assert client.get("/v1/datasets/wheel-6/graphs/0/file?format=count").text == "7 12\n"
        store = made.state.backend.store
        small = {"kind": "train", "dataset": "MAO", "max_epochs": 1, "hidden": 8, "blocks": 1}
        for chosen in ({"method": "hubs"}, {"method": "mivspool", "score": "place"}):
            job = client.post("/v1/jobs", json={**small, **chosen})
            assert job.is_success, job.text
            claim = store.claim("this test")
            assert claim is not None
            assert 0 <= perform(store, claim, lambda: False)["test_accuracy"] <= 1


def on_the_pages(folder: Path) -> None:
    """Collection, score and format on Step, the method on Compare and Train, the download, and the page itself."""
    from streamlit.testing.v1 import AppTest

    from app.navigation import PAGES

    def opened(app: AppTest, **link: str) -> AppTest:
        for name, text in link.items():
            app.query_params[name] = text
        app.run(timeout=120)
        assert not app.exception, app.exception
        assert not app.warning, app.warning
        assert not app.error, app.error
        return app

    step = opened(AppTest.from_file("../app/main.py"), graph="wheel-6", score="place")
    assert step.session_state["state"]["graph"] == "wheel-6"
    assert step.session_state["state"]["score"] == "place"
    assert any("place in the file" in option for option in step.selectbox(key="widget:step:score").options)
    step.get("file_uploader")[0].upload("path.txt", DIGITS, "text/plain")
    opened(step)
    assert step.session_state["shown"][1].graph.nodes == ("4", "7", "1")
    compare = opened(AppTest.from_function(_compare), graph="wheel-6", methods="hubs,gpool")
    assert "Hubs" in compare.get("multiselect")[0].options
    train = opened(AppTest.from_function(_train), method="hubs")
    assert train.session_state["state"]["method"] == "hubs"
    exports = opened(AppTest.from_function(_exports))
    assert "Count" in exports.selectbox[1].options
    page = next(entry for entry in PAGES if entry.name == "sizes")
    assert page == PAGES[-1]
    shown = opened(AppTest.from_function(_sizes), graph="wheel-6")
    assert shown.markdown[0].value == "wheel-6: 7 vertices, 12 edges"


def _compare() -> None:
    from app.compare.page import page

    page()


def _train() -> None:
    from app.train.page import page

    page()


def _exports() -> None:
    from app import pooled
    from app.step import exports

    exports.controls(pooled.pool("wheel-6", "place", 0, False, False), 0, "a wheel")


def _sizes() -> None:
    from app.navigation import PAGES

    next(entry for entry in PAGES if entry.name == "sizes").run()()


FACES = {"command-line": on_the_command_line, "api": through_the_api, "pages": on_the_pages}

if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    FACES[sys.argv[2]](Path(sys.argv[1]))
