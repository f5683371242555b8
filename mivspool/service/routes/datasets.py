"""Graphs that can be named: data sets, classics and uploads."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response, UploadFile

from mivspool.errors import DatasetError
from mivspool.graphs.export import WRITERS, write_graph
from mivspool.service.backend import Here, Owner, UploadsAllowed
from mivspool.service.problems import Refusal
from mivspool.service.routes import problems
from mivspool.service.schemas import DatasetDocument, GraphDocument, Members, UploadDocument
from mivspool.service.uploads import PREFIX

router = APIRouter(prefix="/datasets", tags=["datasets"])

As = Annotated[
    str | None,
    Query(alias="as", max_length=100, description="another reading of an upload, as its graphs list them"),
]
Index = Annotated[int, Path(ge=0, le=2**53, examples=[3])]
Name = Annotated[str, Path(max_length=100, examples=["MAO"], description="a name from the list")]


@router.get("", responses=problems())
def list_datasets(here: Here, owner: Owner) -> list[DatasetDocument]:
    """Every data set and classic graph, and the visitor's uploads."""
    return here.catalogue.all(owner)


@router.get("/{name}/graphs/{index}", response_model=GraphDocument, responses=problems(404, 413))
def one_graph(
    here: Here,
    owner: Owner,
    name: Name,
    index: Index,
    as_: As = None,
) -> Response:
    """One graph with its vertices' attributes, its class where known, and its positions where it has any."""
    document = GraphDocument.of(here.catalogue.graph(name, index, owner, as_))
    return Response(document.model_dump_json(), media_type="application/json")  # made here, in a thread


@router.get(
    "/{name}/graphs/{index}/file",
    response_class=Response,
    responses={
        200: {
            "description": "The file",
            "content": {
                kind: {"schema": {"type": "string"}} for kind in {w.media_type for w in WRITERS.values()}
            },
        },
        **problems(404, 413),
    },
)
def graph_file(
    here: Here,
    owner: Owner,
    name: Name,
    index: Index,
    format: Annotated[
        str,
        Query(
            max_length=100,
            description=f"the file's format: {', '.join(WRITERS)}",
            json_schema_extra={"enum": list(WRITERS)},
        ),
    ],
    as_: As = None,
) -> Response:
    """One graph as a file, in a format that is written."""
    graph = here.catalogue.graph(name, index, owner, as_)
    content = write_graph(graph, format).encode("utf-8", "replace")
    writer = WRITERS[format]
    return Response(
        content,
        media_type=writer.media_type,
        headers={"Content-Disposition": f'attachment; filename="graph-{index}{writer.extension}"'},
    )


@router.get("/{name}/graphs", responses=problems(404, 413))
def list_graphs(
    here: Here,
    owner: Owner,
    name: Name,
    offset: Annotated[int, Query(ge=0, le=2**53)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    as_: As = None,
) -> Members:
    """What is in a data set or upload: each graph's label and size, or why it could not be read."""
    return here.catalogue.members(name, owner, offset, limit, as_)


@router.post("", status_code=201, dependencies=[UploadsAllowed], responses=problems(413))
def upload(
    here: Here,
    owner: Owner,
    file: UploadFile,
    shared: Annotated[bool, Query(description="let other visitors see it")] = False,
) -> UploadDocument:
    """Upload a file of one or many graphs in any format the project reads. The same file gets the same name."""
    made = here.uploads.add(file.file, file.filename or "upload", owner, shared)
    return UploadDocument(**here.catalogue.document(made).model_dump(), failures=made.summary["failures"])


@router.delete("/{name}", status_code=204, responses=problems(404))
def delete_upload(here: Here, owner: Owner, name: Name) -> None:
    """Delete an upload of one's own now instead of when its time is over."""
    if not name.startswith(PREFIX) or not here.uploads.delete(name, owner):
        raise Refusal(404, DatasetError(f"you have no upload {name!r}"))
