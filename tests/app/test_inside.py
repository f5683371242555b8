"""The network opened on the page: the layers of a block, and every number that the backend gives."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.components import inside
from app.ui import common
from mivspool.content import shared
from mivspool.graphs import load_dataset
from mivspool.learning.models import load_model
from mivspool.learning.runs import NetworkConfig, architectures


@pytest.fixture(scope="module")
def layers() -> list[dict[str, Any]]:
    return load_model("mao-mivspool").inside(load_dataset("MAO")[3], "4")


def test_a_block_has_its_layers_and_the_head_comes_once(layers: list[dict[str, Any]]) -> None:
    blocks = [inside.of_block(layers, k) for k in range(3)]
    assert [[one["kind"] for one in block] for block in blocks] == [["convolution", "pooling", "readout"]] * 3
    assert [one for block in blocks for one in block] + inside.after_blocks(layers) == layers


@pytest.mark.parametrize("network", ["paper", "multilevel"])
@pytest.mark.parametrize("method", sorted(architectures()))
def test_every_layer_of_every_network_belongs_to_one_block(network: str, method: str) -> None:
    from mivspool.learning.layers import describe

    described = [layer.to_dict() for layer in describe(NetworkConfig(3, 2, network=network, method=method))]
    poolings = sum(one["kind"] == "pooling" for one in described)
    blocks = [inside.of_block(described, k) for k in range(max(poolings, 1))]
    assert [one for block in blocks for one in block] + inside.after_blocks(described) == described


def test_every_number_is_on_the_page(layers: list[dict[str, Any]]) -> None:
    block = inside.of_block(layers, 1)
    html = "".join(part for layer in block for part in inside.html_of(layer))
    (convolution, pooling, readout) = block
    for values in (convolution["before"], convolution["after"], pooling["after"], readout["mean"]):
        assert len(values) == 128
        for channel, value in enumerate(values):
            assert f"title='{channel}: {value:.4f}".replace("-", "−") in html
    assert html.count("<i class=") == 128 * 5
    for one in convolution["neighbours"]:
        assert f"<bdi>{one['vertex']}</bdi> × {one['weight']:.4f}" in html
    for view in pooling["views"]:
        assert f"<td>{view['weight']:.4f}</td>" in html
    assert f"= {pooling['score']:.4f}" in html
    head = "".join(
        part for layer in inside.after_blocks(layers) for part in inside.html_of(layer, ["<a>", "b"])
    )
    assert "<a>" not in head
    for share in layers[-1]["probabilities"]:
        assert f"{share:.4f}" in head
    rows = inside.table(block)
    assert [
        row[common.INSIDE_COLUMNS["value"]]
        for row in rows
        if row[common.INSIDE_COLUMNS["quantity"]] == "mean"
    ] == (readout["mean"])
    origin = [
        row[common.INSIDE_COLUMNS["from"]]
        for row in rows
        if row[common.INSIDE_COLUMNS["quantity"]] == "maximum"
    ]
    assert origin == readout["maximum_vertex"]


def test_a_strip_is_as_dark_as_its_values_are_large() -> None:
    html = inside.strip("x", [2.0, -1.0, 0.0])
    assert re.findall(r"class='(up|down)' style='--size:([0-9.]+)'", html) == [
        ("up", "1.000"), ("down", "0.500"), ("up", "0.000"),
    ]  # fmt: skip
    assert "3 values, −1.0000 to 2.0000" in html
    assert shared.LAYER_VALUES["gone"] in inside.strip("x", None)


@pytest.mark.browser
def test_an_answer_says_why_and_opens_to_its_numbers(app: Any) -> None:
    """A graph of another kind is refused and asked all the same; an answer is explained by vertex, and opened."""
    page = app.open("classify?graph=karate&model=dd-structure", graph=False)
    page.locator("h4", has_text="lies outside the domain").wait_for(timeout=60_000)
    assert page.locator(".mp-classes").count() == 0
    page.get_by_role("button", name="Classify anyway").click()
    page.locator(".mp-classes").wait_for(timeout=60_000)
    page.wait_for_url("**anyway=**")
    page = app.open("classify?graph=MAO:3&why=gradients&inside=1", graph=False)
    page.locator("h4", has_text="MAO inhibitor (class 0)").or_(
        page.locator("h4", has_text="not an MAO inhibitor (class 1)")
    ).first.wait_for(timeout=60_000)
    assert page.locator(".mp-classes .share small").first.inner_text().startswith("network: ")
    page.locator(".importance svg ellipse").first.wait_for(timeout=60_000)
    page.get_by_text(common.IMPORTANCE_GAP.partition(",")[0]).first.wait_for()
    page.locator(".mp-strip").first.wait_for(timeout=60_000)
    assert page.locator(".mp-strip").first.locator("i").count() == 3
