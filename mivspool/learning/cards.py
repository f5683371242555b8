"""A model's card (README.md), written from its config.json alone: the same data always gives the same card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivspool.graphs.classes import meaning_of
from mivspool.graphs.datasets import DATASETS
from mivspool.graphs.schema import InputSchema
from mivspool.learning.confidence import Assessment
from mivspool.learning.layers import NETWORKS, Layer, describe
from mivspool.learning.recommended import RECOMMENDED
from mivspool.learning.runs import NetworkConfig, architectures
from mivspool.messages import count, number

_SHOWN_LABELS = 40

# what a class stands for, where the data set's authors say it
_NOT_FOR = {
    "molecules": (
        "to decide whether a real molecule is safe, toxic, mutagenic or active: it has learned from "
        "{graphs} molecules of one laboratory series or screen, and knows nothing of chemistry beyond them"
    ),
    "proteins": (
        "to annotate a protein: it sees a coarse graph of it, no sequence, and the classes are those of "
        "{graphs} proteins chosen for a benchmark"
    ),
    "people": (
        "to say anything about people or their work: it has learned how {graphs} small networks of actors from "
        "one source differ"
    ),
    "": "to decide anything about a person, a substance or a protein: it is there to show how the method works",
}
_KINDS = {
    "MAO": "molecules", "MUTAG": "molecules", "NCI1": "molecules",
    "PROTEINS": "proteins", "DD": "proteins", "ENZYMES": "proteins",
    "IMDB-BINARY": "people",
}  # fmt: skip


def model_card(name: str, config: Mapping[str, Any]) -> str:
    """The card of a model called ``name`` with this config.json; without an evaluation, it says so."""
    schema = InputSchema.from_dict(config["input_schema"])
    run, evaluation = config.get("run", {}), config.get("evaluation", {})
    parts = [
        _front_matter(config),
        f"# {name}\n\n{_about(config, schema)}",
        f"## Input\n\n{_input(schema)}",
        f"## Use\n\n{_use(name)}",
        f"## What it must not be used for\n\n{_not_for(schema)}",
        f"## Accuracy\n\n{_accuracy(config)}",
    ]
    if "calibration" in evaluation:
        folds = f"{evaluation['measured_folds']} of the folds of the first repeat"
        parts.append(f"## Calibration\n\n{_calibration(evaluation['calibration'], folds)}")
    if "renumbering" in evaluation:
        parts.append(f"## Renumbering the vertices\n\n{_renumbering(evaluation['renumbering'])}")
    parts.append(f"## How it was made\n\n{_made(config, run)}")
    return "\n\n".join(parts) + "\n"


def input_needed(schema: InputSchema) -> str:
    """What a graph must bring, in a few words."""
    needs = []
    if schema.node_labels is not None:
        if schema.elements:
            needs.append(f"chemical elements as vertex labels ({', '.join(schema.node_labels)})")
        else:
            needs.append(
                f"the vertex labels of {schema.dataset or 'its data set'} ({len(schema.node_labels)})"
            )
    if schema.attributes:
        needs.append(f"{count(len(schema.attributes), 'number')} per vertex")
    return " and ".join(needs) or "edges alone"


def _front_matter(config: Mapping[str, Any]) -> str:
    return "\n".join([
        "---", "library_name: mivspool", "license: mit", "pipeline_tag: graph-ml", "tags:",
        "- graph-classification", "- graph-pooling", f"- {config['architecture'].get('method', 'mivspool')}", "---",
    ])  # fmt: skip


def _about(config: Mapping[str, Any], schema: InputSchema) -> str:
    architecture, run = config["architecture"], config.get("run", {})
    source = DATASETS.get(str(run.get("dataset", "")))
    meaning, said_by = meaning_of(schema.dataset, config["classes"])
    classes = ", ".join(
        f"`{label}` ({meaning[label]})" if label in meaning else f"`{label}`" for label in config["classes"]
    )
    named = f"What they stand for: {said_by}" if meaning else "They are named as the data set names them."
    score = f" with {architecture['score']} scores" if architecture.get("score") else ""
    network = NetworkConfig.from_dict(architecture)
    how = (
        f"that pools by Maximal Independent Vertex Set (`{network.method}`{score}; Stanovic, Gaüzère and Brun)"
        if network.reduces
        else f"(`{network.method}`: {architectures()[network.method]})"
    )
    what = (
        f"{source.title} ({source.about})" if source else f"`{run.get('dataset', 'a data set of its owner')}`"
    )
    low, _, middle, _, high = schema.training.vertices
    low_degree, _, _, _, high_degree = schema.training.mean_degree
    return (
        f"A classifier of graphs {how}. It was trained on {what} and tells "
        f"{count(len(config['classes']), 'class')} apart: {classes}. {named}\n\n"
        f"It learned from {count(schema.training.graphs, 'graph')} of {low:,.0f} to {high:,.0f} vertices (half of them "
        f"below {middle:,.0f}) with mean degrees of {low_degree:.2f} to {high_degree:.2f}. {_domain(schema)}"
    )


def _domain(schema: InputSchema) -> str:
    """What lies outside the model's domain, as ``fit_graph`` decides it."""
    beyond = "a mean degree beyond these"
    if schema.reads_degrees_alone:
        more = "" if schema.max_degree is None else f", with a vertex of degree above {schema.max_degree:,}"
        what = f"with {beyond}{more}, or known to come from another collection"
    else:
        labels = "" if schema.node_labels is None else ", or with labels that no training graph has"
        what = f"{'' if labels else 'or '}with {beyond} by more than a quarter{labels}"
    return f"A graph with fewer or more vertices, {what}, lies outside its domain: its prediction is meaningless."


def _input(schema: InputSchema) -> str:
    lines = [
        f"It needs {input_needed(schema)}. Edges have no direction; weights and self-loops are not used."
    ]
    if schema.node_labels is not None:
        shown = ", ".join(f"`{label}`" for label in schema.node_labels[:_SHOWN_LABELS])
        more = len(schema.node_labels) - _SHOWN_LABELS
        lines.append(f"Labels, one-hot in this order: {shown}{f' and {more} more' if more > 0 else ''}.")
        if not schema.elements:
            lines.append("What these labels mean is not published, so another data set's are not accepted.")
    if schema.attributes:
        shown = ", ".join(f"`{name}`" for name, _, _ in schema.attributes[:_SHOWN_LABELS])
        lines.append(f"Attributes, standardised by the training graphs' mean and deviation: {shown}.")
    if schema.max_degree is not None:
        lines.append(
            f"The degree of each vertex, one-hot from 0 to {schema.max_degree} or more, is counted for you."
        )
    return "\n\n".join(lines)


def _use(name: str) -> str:
    return f"```\nmivspool classify FILE --model {name}\n```\n\n```python\n" + (
        "from mivspool import load_model, read_graph\n\n"
        f'load_model("{name}").classify([read_graph("FILE")])\n```'
    )


def _not_for(schema: InputSchema) -> str:
    text = _NOT_FOR[_KINDS.get(schema.dataset, "")].format(graphs=f"{schema.training.graphs:,}")
    return (
        f"Do not use it {text}. It always answers with one of its classes, also where none fits. "
        "It is a teaching and research model."
    )


def _accuracy(config: Mapping[str, Any]) -> str:
    run, evaluation = config.get("run", {}), config.get("evaluation", {})
    if "accuracy" not in evaluation:
        if run.get("test_accuracy") is None:
            return "It was not cross-validated: nothing is known of its accuracy on graphs it has not seen."
        return (
            f"{100 * run['test_accuracy']:.1f} % of the test graphs of the one split it was trained on. One split says "
            "little: `mivspool evaluate` cross-validates."
        )
    cell = evaluation["accuracy"]
    spread = "" if cell["std"] is None else f" ± {cell['std']:.1f}"
    over = (
        f"{cell['folds']}-fold cross-validation, {cell['repeats']} repeats; ± is the sample standard deviation over "
        "the repeats' means"
        if cell["std"] is not None
        else f"{cell['folds']}-fold cross-validation, one repeat"
    )
    found = Assessment.of(config)
    assessed = (
        f"On {found.graphs:,} different graphs, the 95 % interval is {100 * found.low:.1f} to "
        f"{100 * found.high:.1f} %. Always answering the most frequent class gives {100 * found.majority:.1f} %. "
        if found
        else ""
    )
    return (
        f"**{cell['mean']:.1f}{spread} %** of test graphs, by {over}. {assessed}"
        "The released weights come from one more run of the same configuration "
        "on nine tenths of the graphs (the last tenth decided when to stop): this is an estimate for them, not a "
        "measurement of them."
    ) + _beside(evaluation)


def _beside(evaluation: Mapping[str, Any]) -> str:
    """What the other network has, where that was evaluated."""
    if "beside" not in evaluation:
        return ""
    other = evaluation["beside"]
    this, that = (
        ("The recommended", "the paper's")
        if other["network"] == "paper"
        else ("The paper's", "the recommended")
    )
    cell, c = other["accuracy"], other["comparison"]
    spread = "" if cell["std"] is None else f" ± {cell['std']:.1f}"
    text = (
        f"\n\n{this} network is the one of this model; {that} network has **{cell['mean']:.1f}{spread} %** "
    )
    text += f"({count(cell['folds'], 'fold')}, {count(cell['repeats'], 'repeat')}). "
    if c is None:
        return text + "The two have no folds in common."
    apart, low, high = (number(c[name], "+.1f") for name in ("difference", "low", "high"))
    return text + (
        f"On the {count(c['pairs'], 'fold')} that both have, this one differs by {apart} percentage points "
        f"(95 % interval {low} to {high}; corrected resampled t-test, p = {c['p']:.2g})."
    )


def _calibration(measured: Mapping[str, Any], folds: str) -> str:
    lines = [
        f"Over {measured['predictions']:,} predictions of test graphs ({folds}): expected calibration error "
        f"**{100 * measured['ece']:.1f} points** ({len(measured['bins'])} bins), Brier score "
        f"**{measured['brier']:.3f}** (0 is perfect, 2 the worst).",
        "",
        "| predictions | mean confidence | right |",
        "| --- | --- | --- |",
    ]
    lines += [
        f"| {one['count']:,} | {100 * one['confidence']:.0f} % | {100 * one['accuracy']:.0f} % |"
        for one in measured["bins"]
    ]
    return "\n".join(lines)


def _renumbering(measured: Mapping[str, Any]) -> str:
    blocks = ", ".join(
        f"{100 * share:.1f} % at block {k}" for k, share in enumerate(measured["survivors"], start=1)
    )
    survivors = (
        f"other vertices survive in **{100 * measured['any_survivors']:.1f} %** of them ({blocks}), and "
        if measured["survivors"]
        else ""
    )
    return (
        f"Equal scores are told apart by degree, the neighbours' scores and, at last, the vertex number. Over "
        f"{measured['graphs']:,} test graphs, each numbered at random {measured['rounds']} times, {survivors}"
        f"the predicted class changes in **{100 * measured['predicted']:.1f} %** at least once."
    )


def _layer(layer: Layer) -> str:
    """A layer as an item of the list of layers."""
    options = [f"{name} {value}" for name, value in layer.options.items() if name in ("score", "reduction")]
    about = f" ({', '.join(options)})" if options else ""
    return f"  {layer.kind} `{layer.name}`{about}: {layer.shape}"


def _made(config: Mapping[str, Any], run: Mapping[str, Any]) -> str:
    a = config["architecture"]
    weights = f"weights of A′ {'used' if a.get('use_weights') else 'not used'} by the next block"
    facts = [f"{a['blocks']} blocks of GCN, ReLU and pooling, {a['hidden']} channels, {weights}"]
    network = NetworkConfig.from_dict(a)
    if not network.is_paper or not network.pools:
        facts = [f"{weights}; {NETWORKS[network.network].title}:", *map(_layer, describe(network))]
    chosen = "; fixed beforehand (no grid)"
    if run.get("config_id") == RECOMMENDED.config_id:
        chosen = (
            "; chosen by validation loss among twelve that were written down beforehand (docs/recommended.md)"
        )
    if "lr" in run:
        facts.append(
            f"Adam, learning rate {run['lr']:g}, weight decay {run['weight_decay']:g}, batches of "
            f"{count(run['batch_size'], 'graph')}{chosen if config.get('evaluation') else ''}"
        )
    if "epochs" in run:
        facts.append(
            f"{count(run['epochs'], 'epoch')}, weights of epoch {run['best_epoch']} (lowest validation loss)"
        )
    if "version" in run:
        facts.append(f"mivspool {run['version']}, {run.get('date', '')}, {run.get('device', 'cpu')}")
    text = "\n".join(f"  - {fact.strip()}" if fact.startswith(" ") else f"- {fact}" for fact in facts)
    commands = run.get("commands", [])
    if commands:
        lines = "\n".join(commands)
        text += f"\n\nThis makes it again, cross-validation and card included:\n\n```\n{lines}\n```"
    return text
