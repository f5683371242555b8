"""The page of a pyvis network: one file that asks for nothing, in which every text is text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mivspool
from mivspool.errors import InputError
from mivspool.graphs import Graph
from mivspool.pyvis import Network, script, style
from tests.app.browser import chromium

HOSTILE = "</script><img src=http://evil.example/x onerror=alert(1)><a href='http://evil.example'>{{7*7}}"
# attributes by which a page asks for something
_ASKS = {"src", "href", "srcset", "data", "action", "poster", "background"}


class Page(HTMLParser):
    """What a browser makes of a page: its elements, what they ask for, and the texts of its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.asked: list[str] = []
        self.texts: dict[str, list[str]] = {}
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.asked += [value or "" for name, value in attrs if name in _ASKS]
        assert not any(name.startswith("on") and "alert" in (value or "") for name, value in attrs)
        self._inside = tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self._inside, []).append(data)


def network(text: str, **options: bool) -> Network:
    """A network with a text in every place that takes one."""
    made = Network(heading=text, **options)
    made.add_node(text, label=text, title=text, group=text)
    made.add_node("b", title="href=" + text)
    made.add_edge(text, "b", title=text, label=text)
    return made


PLAIN = Page(network("a").generate_html())


@pytest.mark.parametrize(
    "menus", [{}, {"select_menu": True, "filter_menu": True, "neighborhood_highlight": True}]
)
def test_the_page_asks_for_nothing(menus: dict[str, bool]) -> None:
    made = network(HOSTILE, **menus)
    made.show_buttons()
    page = Page(made.generate_html())
    assert page.asked == []
    assert "link" not in page.elements
    assert not re.search(r"url\((?!\"data:)|@import", "".join(page.texts["style"]))
    assert "sourceMappingURL" not in "".join(page.texts["script"])


TEXTS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=30) | st.sampled_from([
    HOSTILE, "<!--<script>", "\u2028", '"});alert(1);//', "'", "\\", "]]>", "${x}", "{% raw %}",
])  # fmt: skip


@given(TEXTS.filter(lambda text: text != "b"))
@settings(max_examples=30)
def test_a_text_adds_no_element(text: str) -> None:
    page = Page(network(text).generate_html())
    assert page.elements == PLAIN.elements
    (heading,) = re.findall(r"new vis\.DataSet\((.*)\);", "".join(page.texts["script"]))[:1]
    assert json.loads(heading)[0]["label"] == (text or text)


def test_a_dot_file_and_options_end_no_script(tmp_path: Path) -> None:
    (tmp_path / "a.dot").write_text('graph { "a\\"</script><img src=x>" -- b }')
    made = Network()
    made.from_DOT(str(tmp_path / "a.dot"))
    assert Page(made.generate_html()).elements == PLAIN.elements
    made = network("a")
    made.set_options('{"nodes": {"label": "</script><img>"}}')
    assert Page(made.generate_html()).elements == PLAIN.elements


def test_other_modes_ask_servers_and_are_refused() -> None:
    with pytest.raises(InputError, match="in_line"):
        Network(cdn_resources="remote")


def test_it_is_written_in_utf_8_and_stays_pyvis_own(tmp_path: Path) -> None:
    made = network("Ünïcode 🦆")
    made.get_node("b")["color"] = "#123456"
    made.write_html(str(tmp_path / "a.html"))
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "Ünïcode 🦆" in text
    assert "#123456" in text
    with pytest.raises(AssertionError, match="not a valid html file"):
        made.save_graph(str(tmp_path / "a.txt"))


def test_the_script_and_style_of_vis_network_are_at_hand() -> None:
    assert "Network" in script()
    assert ".vis-configuration" in style()


@pytest.mark.browser
def test_it_draws_offline_whatever_vertices_are_called(tmp_path: Path) -> None:
    names = (HOSTILE, "__proto__", "constructor", "toString", "")
    graph = Graph(name=HOSTILE, nodes=names, edges=np.array([[0, 1, 2, 3], [1, 2, 3, 4]]))
    level = mivspool.step(graph, (5.0, 4.0, 3.0, 2.0, 1.0))[0]
    level.to_pyvis(physics=True).write_html(str(tmp_path / "a.html"))
    told: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: told.append(request.url))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("console", lambda message: told.append(message.text))
        page.on("dialog", lambda dialog: told.append(dialog.message))
        page.goto((tmp_path / "a.html").as_uri())
        page.locator("#mynetwork canvas").wait_for()
        assert page.evaluate("network.body.nodeIndices.every((id) => network.body.nodes[id].shape)")
        drawn = page.evaluate("network.body.nodeIndices.map((id) => network.body.data.nodes.get(id).title)")
        assert sorted(title.split("\n")[0] for title in drawn) == sorted(f"vertex {name}" for name in names)
        assert page.evaluate("network.body.edgeIndices.every((id) => network.body.edges[id].connected)")
        page.locator(".vis-configuration input[type=range]").first.wait_for()
        page.evaluate(
            "network.setOptions({ physics: false }); network.fit({ animation: false }); scrollTo(0, 0)"
        )
        box = page.locator("#mynetwork canvas").bounding_box()
        dom = page.evaluate(f"network.canvasToDOM(network.getPosition({json.dumps(HOSTILE)}))")
        page.mouse.move(box["x"] + dom["x"] + 5, box["y"] + dom["y"] + 5)
        page.mouse.move(box["x"] + dom["x"], box["y"] + dom["y"])
        page.locator(".vis-tooltip").filter(has_text="onerror=alert(1)").wait_for()
        assert page.locator("img").count() == 0
    assert told == [(tmp_path / "a.html").as_uri()]
