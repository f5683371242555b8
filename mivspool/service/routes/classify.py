"""Classification: the class of graphs, their learned scores, and what each cluster contributes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import anyio.to_thread
import numpy as np
from fastapi import APIRouter, Query, Response, UploadFile

from mivspool.errors import InputError, LimitError, MIVSPoolError, ModelError
from mivspool.graphs.graph import Graph
from mivspool.messages import count
from mivspool.service.arrays import MEDIA_TYPE, pack
from mivspool.service.backend import Backend, Here, Owner, UploadsAllowed
from mivspool.service.bodies import json_body, takes
from mivspool.service.problems import Refusal
from mivspool.service.routes import problems
from mivspool.service.schemas import (
    Classified,
    ClassifyRequest,
    ExplanationDocument,
    GraphChoice,
    Inside,
    InsideRequest,
    LevelScores,
    Scores,
    ScoresRequest,
    Without,
    WithoutCluster,
    WithoutRequest,
    classified_json,
)
from mivspool.service.uploads import read_all

router = APIRouter(prefix="/classify", tags=["classify"])

Named = tuple[str, Graph | MIVSPoolError]
_SMALL = 2000  # vertices and edges that are looked through on the event loop rather than in a thread
_MOST_WITHOUT = 5_000_000  # vertices times clusters that are left out in turn


@router.post(
    "",
    response_model=list[Classified],
    responses=problems(404, 413, 415),
    openapi_extra=takes(ClassifyRequest, "ClassifyRequest"),
)
async def classify(
    here: Here, owner: Owner, request: Annotated[ClassifyRequest, json_body(ClassifyRequest)]
) -> Response:
    """Class and probabilities of each graph, first the graphs, then the references, in the order given.

    A graph that cannot be classified has its reason in `error` and does not stop the others.
    """
    size = sum(len(graph.nodes) + graph.num_edges for graph in request.graphs)
    if not request.references and size <= _SMALL:
        named = _named(here, owner, request)
    else:
        named = await anyio.to_thread.run_sync(_named, here, owner, request)
    return await _answer(here, owner, request.model, named, request.mapping, request.levels)


@router.post(
    "/file", response_model=list[Classified], dependencies=[UploadsAllowed], responses=problems(404, 413)
)
async def classify_file(
    here: Here,
    owner: Owner,
    file: UploadFile,
    model: Annotated[str, Query(max_length=64, examples=["mao-mivspool"])],
    levels: bool = False,
) -> Response:
    """The same for every graph of a file, which is not kept."""
    await anyio.to_thread.run_sync(here.library.check, model, owner)
    async with here.bodies.awaited():
        name = file.filename or "upload"
        found = await anyio.to_thread.run_sync(read_all, file.file, name, here.settings)
        if not any(isinstance(item, Graph) for _, item in found) and found:
            error = found[0][1]
            assert isinstance(error, MIVSPoolError)
            raise error
        return await _answer(here, owner, model, found, None, levels)


@router.post(
    "/scores",
    response_model=Scores,
    responses=problems(404, 413, 415),
    openapi_extra=takes(ScoresRequest, "ScoresRequest"),
)
async def scores(
    here: Here, owner: Owner, request: Annotated[ScoresRequest, json_body(ScoresRequest)]
) -> Response:
    """The scores that each block of the network gives to the vertices of its level.

    A request with arrays is answered with arrays: for each level k of the document `nodes_k`, int32, places among the
    graph's nodes, `score_k`, and `rounded_k` where it has one.
    """
    graph = await _chosen(here, owner, request)
    result = await _one(here, owner, request.model, graph, request.mapping)
    if request.in_arrays:
        content = await anyio.to_thread.run_sync(_scores_as_arrays, request.model, graph, result)
        return Response(content, media_type=MEDIA_TYPE)
    return Response(
        await anyio.to_thread.run_sync(_scores, request.model, graph, result), media_type="application/json"
    )


@router.post(
    "/without",
    response_model=Without,
    responses=problems(404, 413, 415),
    openapi_extra=takes(WithoutRequest, "WithoutRequest"),
)
async def without(
    here: Here, owner: Owner, request: Annotated[WithoutRequest, json_body(WithoutRequest)]
) -> Response:
    """What the class probabilities do when each cluster of a level is left out in turn."""
    graph = await _chosen(here, owner, request)
    result = await _one(here, owner, request.model, graph, request.mapping)
    return await _in_turn(here, lambda: _without(here, owner, request, graph, result))


@router.post(
    "/explain",
    response_model=ExplanationDocument,
    responses=problems(404, 413, 415),
    openapi_extra=takes(ScoresRequest, "ScoresRequest"),
)
async def explain(
    here: Here, owner: Owner, request: Annotated[ScoresRequest, json_body(ScoresRequest)]
) -> Response:
    """What each vertex and each cluster brings to the predicted class, and whether that explanation is faithful."""
    return await _by_model(here, owner, request, _explain)


def _explain(model: Any, request: ScoresRequest, graph: Graph) -> str:
    return ExplanationDocument(**model.explain(graph, request.mapping).to_json()).model_dump_json()


@router.post(
    "/inside",
    response_model=Inside,
    responses=problems(404, 413, 415),
    openapi_extra=takes(InsideRequest, "InsideRequest"),
)
async def inside(
    here: Here, owner: Owner, request: Annotated[InsideRequest, json_body(InsideRequest)]
) -> Response:
    """What each layer of the network makes of a vertex, from its features to the logits."""
    return await _by_model(here, owner, request, _inside)


def _inside(model: Any, request: InsideRequest, graph: Graph) -> str:
    layers = model.inside(graph, request.vertex, request.mapping)
    return Inside(
        model=request.model, graph=graph.name, vertex=request.vertex, layers=layers
    ).model_dump_json()


def _levels(model: str, result: Any) -> list[Any]:
    if not result.levels:
        raise ModelError(f"{model} does not pool by MIVSPool: it has no scores to show")
    return list(result.levels)


def _scores_as_arrays(model: str, graph: Graph, result: Any) -> bytes:
    levels = _levels(model, result)
    arrays: dict[str, Any] = {}
    for k, level in enumerate(levels):
        places = map(graph.index.__getitem__, level.nodes)
        arrays[f"nodes_{k}"] = np.fromiter(places, np.int32, len(level.nodes))
        arrays[f"score_{k}"] = level.score.numpy(force=True)
        if level.rounded is not None:
            arrays[f"rounded_{k}"] = level.rounded.numpy(force=True)
    told = [{"level": level.level, "reduction": level.reduction} for level in levels]
    return pack({"model": model, "graph": graph.name, "levels": told}, arrays)


def _scores(model: str, graph: Graph, result: Any) -> str:
    """The answer as JSON, made beside the event loop: it may be as large as the graph."""
    levels = _levels(model, result)
    return Scores(
        model=model,
        graph=graph.name,
        levels=[
            LevelScores(
                level=level.level,
                nodes=list(level.nodes),
                score=dict(zip(level.nodes, level.score.tolist(), strict=True)),
                rounded=level.rounded_by_id,
                reduction=level.reduction,
            )
            for level in levels
        ],
    ).model_dump_json()


def _without(here: Backend, owner: str, request: WithoutRequest, graph: Graph, result: Any) -> str:
    model: Any = here.library.shelf.model(here.library.check(request.model, owner))
    levels = result.levels
    if request.level >= len(levels):
        raise InputError(
            f"{request.model} has {len(levels)} pooled levels of this graph: there is no {request.level}"
        )
    clusters = len(levels[request.level].reduced_nodes)
    if clusters * graph.num_nodes > _MOST_WITHOUT:
        raise LimitError(
            f"leaving out {count(clusters, 'cluster')} of {count(graph.num_nodes, 'vertex')} in turn is too much work: "
            "choose a higher level or a smaller graph"
        )
    chosen = int(max(range(len(result.probabilities)), key=result.probabilities.__getitem__))
    return Without(
        model=request.model,
        graph=graph.name,
        predicted=result.predicted,
        probabilities=dict(zip(result.classes, result.probabilities, strict=True)),
        level=request.level,
        clusters=[
            WithoutCluster(
                survivor=left.cluster,
                vertices=list(left.vertices),
                probabilities=dict(zip(result.classes, left.probabilities, strict=True)),
                change=left.probabilities[chosen] - result.probabilities[chosen],
            )
            for left in model.leave_out(graph, request.level, mapping=request.mapping)
        ],
    ).model_dump_json()


def _named(here: Backend, owner: str, request: ClassifyRequest) -> list[Named]:
    """Each graph with its source, or why it is none."""
    named: list[Named] = []
    for i, document in enumerate(request.graphs):
        try:
            graph = document.graph(here.settings.limits)
            named.append((graph.name, graph))
        except MIVSPoolError as error:
            named.append((document.name or str(i), error))
    for reference in request.references:
        try:
            named.append((reference, here.catalogue.reference(reference, owner)))
        except MIVSPoolError as error:
            named.append((reference, error))
        except Refusal as refusal:
            named.append((reference, refusal.error))
    return named


async def _answer(
    here: Backend,
    owner: str,
    model: str,
    named: Sequence[Named],
    mapping: Mapping[str, str] | None,
    levels: bool,
) -> Response:
    graphs = [item for _, item in named if isinstance(item, Graph)]
    results = iter(await _results(here, owner, model, graphs, mapping))
    outcomes = [
        (source, item if isinstance(item, MIVSPoolError) else next(results)) for source, item in named
    ]
    if len(outcomes) == 1 and not levels:
        content = classified_json(outcomes, levels)
    else:
        content = await anyio.to_thread.run_sync(classified_json, outcomes, levels)
    return Response(content, media_type="application/json")


async def _results(
    here: Backend, owner: str, model: str, graphs: list[Graph], mapping: Mapping[str, str] | None
) -> list[Any]:
    library = here.library
    if not library.ready(model):  # the first time it is looked up and loaded, which is slow
        model = await anyio.to_thread.run_sync(library.prepare, model, owner)
    return await asyncio.wrap_future(library.shelf.classify(model, graphs, mapping)) if graphs else []


async def _one(here: Backend, owner: str, model: str, graph: Graph, mapping: Mapping[str, str] | None) -> Any:
    result = (await _results(here, owner, model, [graph], mapping))[0]
    if isinstance(result, MIVSPoolError):
        raise result
    return result


async def _by_model(
    here: Backend, owner: str, request: Any, answer: Callable[[Any, Any, Graph], str]
) -> Response:
    """What the model of a request says of its graph."""
    graph = await _chosen(here, owner, request)
    return await _in_turn(
        here,
        lambda: answer(here.library.shelf.model(here.library.check(request.model, owner)), request, graph),
    )


async def _in_turn(here: Backend, compute: Callable[[], str]) -> Response:
    """The answer that is computed beside the event loop, and beside the shelf: by a few at once."""
    async with here.computations.awaited():
        return Response(await anyio.to_thread.run_sync(compute), media_type="application/json")


async def _chosen(here: Backend, owner: str, choice: GraphChoice) -> Graph:
    if choice.graph is not None:
        return await anyio.to_thread.run_sync(choice.graph.graph, here.settings.limits)
    assert choice.reference is not None
    return await anyio.to_thread.run_sync(here.catalogue.reference, choice.reference, owner)
