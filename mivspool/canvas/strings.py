"""Every word of the canvas; they go to the browser once, with the script.

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number; a value that is a vertex becomes something
to point at.
"""

from __future__ import annotations

# count words up to twelve read better than digits inside a sentence
NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

# what happens in each step, above the picture
SENTENCES = {
    "start": "Iteration 0 of {T}: every vertex is a candidate. In each iteration, a candidate survives if no candidate "
    "beside it scores higher.",
    "start_tie": "Iteration 0 of {T}: every vertex is a candidate. In each iteration, a candidate survives if no "
    "candidate beside it comes before it: higher scores first, equal scores in a strict order.",
    "start_empty": "This graph has no vertices.",
    "iteration": "Iteration {k} of {T}: {new} {new?vertex survives|vertices survive}, because no candidate beside "
    "{new?it|them} scores higher",
    "iteration_more": "Iteration {k} of {T}: {new} more {new?vertex survives|vertices survive}, because no candidate "
    "beside {new?it|them} scores higher",
    "sample": ", in this sample",
    "nothing": "Iteration {k} of {T}: nothing changes here; {left} {left?is|are} left.",
    "struck": "{struck} {struck?is|are} struck out",
    "none_struck": "none is struck out",
    "left": "{left} {left?is|are} left",
    "none_left": "no candidate is left",
    "complement": "Complement: {added} non-{added?survivor|survivors} with the highest scores {added?is|are} added, "
    "so that at least half survive. Two survivors may now be neighbours (Eq. 8 no longer holds).",
    "assign": "Assignment (Eq. 11): {moved} {moved?vertex goes|vertices go} to {moved?its|their} best surviving "
    "{moved?neighbour|neighbours}, which makes {clusters} {clusters?cluster|clusters}.",
    "assign_none": "Assignment (Eq. 11): every vertex survived, each is a cluster of its own.",
    "pool": "Reduced graph (SᵀAS): each cluster becomes one vertex; {n} {n?vertex|vertices} {n?becomes|become} "
    "{clusters}. An edge's width is the number of edges it stands for. A network goes on with this smaller graph.",
}

WHY = {
    "title": "Why {v}?",
    "pick": "Choose a vertex in the graph or a bar to see why it survives or not.",
    "now": "Now",
    "next": "Next",
    "then": "Eq. 10",
    "letters": "p: is it a survivor? q: is it a candidate? s: its score; above, the iteration",
    "places": "(1st), (2nd) …: the strict order among equal scores, in which only the 1st is the maximum",
    # now
    "candidate_waits": "{v} ({score}) is a candidate. Its candidate neighbour {rival} ({rival_score}) scores higher.",
    "candidate_waits_tie": "{v} ({score}) is a candidate. It ties with its candidate neighbour {rival}, and the "
    "{tie_rule}.",
    "candidate_wins": "{v} ({score}) is a candidate, and no candidate beside it scores higher.",
    "candidate_alone": "{v} ({score}) is a candidate, and none of its neighbours is one.",
    "survived": "{v} survives since iteration {at}: {score} is the highest among its candidate {others?neighbour|"
    "neighbours} {list}.",
    "survived_tie": "{v} survives since iteration {at}: it ties at {score} with {rival}, and the {tie_rule}.",
    "survived_alone": "{v} survives since iteration {at}: it had no candidate neighbour.",
    "struck": "{v} ({score}) was struck out in iteration {at}, because its neighbour {by} ({by_score}) survived.",
    "added": "{v} ({score}) was struck out in iteration {at} and is now added by the complement, to keep half.",
    "tie_index": "tie goes to the vertex that comes first",
    "tie_key": "tie goes by what the score is made of, then by degree, then by the neighbours' scores, then by index",
    # next
    "will_survive": "In iteration {k} it survives: {score} is the highest among its candidate {others?neighbour|"
    "neighbours} {list}.",
    "will_survive_tie": "In iteration {k} it survives: it ties at {score} with {rival}, and the {tie_rule}.",
    "will_survive_alone": "In iteration {k} it survives: nothing beside it is a candidate.",
    "will_be_struck": "In iteration {k} its neighbour {by} ({by_score}) survives, so {v} is struck out.",
    "will_wait": "In iteration {k} it stays a candidate: {rival} scores higher, but is itself beaten by {rival_of} "
    "({rival_of_score}).",
    "will_wait_tie": "In iteration {k} it stays a candidate: {rival} comes before it, but is itself beaten by "
    "{rival_of} ({rival_of_score}).",
    "stays": "It stays a survivor. The assignment gives it {members?one vertex|{members_word} vertices}: {list}.",
    "stays_alone": "It stays a survivor, alone in its cluster.",
    "will_go": "The assignment gives it to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "will_go_only": "The assignment gives it to {to} ({to_score}), its only surviving neighbour (Eq. 11).",
    "will_be_added": "The complement will add it as a survivor.",
    "goes": "It goes to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "goes_only": "It goes to {to} ({to_score}), its only surviving neighbour (Eq. 11).",
    "gathers": "Its cluster: {list}.",
    "gathers_alone": "It is alone in its cluster.",
    # in a sample, a vertex some of whose neighbours are not in it
    "outside_candidate": "{v} ({score}) is a candidate; it will be settled in iteration {at}.",
    "outside_survivor": "{v} ({score}) survives since iteration {at}.",
    "outside_struck": "{v} ({score}) was struck out in iteration {at}.",
    "outside": "{outside?One of its neighbours is|{several} of its neighbours are} not in this sample: look at the "
    "vertices around it to see why.",
    "will_wait_outside": "In iteration {k} it stays a candidate: {rival} scores higher, but is itself beaten by a "
    "vertex that is not in this sample.",
    "will_wait_outside_tie": "In iteration {k} it stays a candidate: {rival} comes before it, but is itself beaten "
    "by a vertex that is not in this sample.",
    "outside_goes": "It goes to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "more": "and {more} more",
    "and": "and",
}

CANVAS = {
    "numbers": NUMBERS,
    "sentences": SENTENCES,
    "why": WHY,
    "states": ["candidate", "survivor", "non-survivor"],
    "states_many": ["candidates", "survivors", "non-survivors"],
    "vertex": "vertex {v}",
    "graph": "Graph of {n} vertices and {m} edges. Left and right arrow keys step through the iterations, up and down "
    "choose a vertex, plus and minus zoom.",
    "first": "First step (Home)",
    "previous": "Step back (←)",
    "play": "Play (space)",
    "pause": "Pause (space)",
    "next": "Next step (→)",
    "last": "Last step (End)",
    "speed": "Speed",
    "slider": "Iteration",
    "fit": "Show the whole graph (0)",
    "zoom_in": "Zoom in (+)",
    "zoom_out": "Zoom out (−)",
    "step_iteration": "iteration {k}",
    "step_complement": "complement",
    "step_assign": "assign",
    "step_pool": "pool",
    "counts": "{c} candidates, {s} survivors, {x} non-survivors",
    "bars": "Scores, highest first",
    "bars_from": "bars start at {from}, so that differences show",
    "bars_label": "Vertices by score, highest first. Up and down arrow keys choose one.",
    "empty": "This graph has no vertices, so there is nothing to pool.",
    "times": "×{n}",
    "size": "{n} vertices · {m} edges",
    "own": {
        "pick": "Select a vertex to see this with its numbers.",
        "eq8": "{v} survives; {list} beside it {n?does|do} not.",
        "eq8_alone": "{v} survives and has no neighbours.",
        "eq9": "{v} does not survive; {list} beside it {n?does|do}.",
        "eq9_alone": "{v} survives, and nobody beside it is left out.",
        "eq11": "{v} may go to {list}; the best is {to}: its row of S has its 1 in the column of {to}.",
        "eq11_self": "{v} is a survivor: its row of S has its 1 in its own column.",
        "inside": " (inside, counted twice)",
        "eq3_alone": "No edge leaves the cluster of {v} and none is inside.",
    },
    "table": {
        "title": "The graph as a table",
        "caption": "{n} vertices by score, {m} edges",
        "vertex": "vertex",
        "label": "label",
        "size": "stands for",
        "score": "score",
        "state": "state now",
        "since": "since iteration",
        "cluster": "cluster of",
        "neighbours": "neighbours",
        "more": "and {more} more vertices",
    },
    "present": {
        "back": "Level before",
        "back_help": "Back to the graph that was pooled (level before)",
        "again": "Pool again",
        "again_help": "Go on with the reduced graph (next level)",
        "screen": "Full screen",
        "screen_help": "Full screen (f)",
        "leave": "Leave",
        "leave_help": "Leave the presentation (Esc)",
    },
    "edit": {
        "title": "Change the graph",
        "toolbar": "Change the graph",
        "add": "Add vertex",
        "add_help": "Add a vertex (a); or double-click, or tap twice, on an empty place",
        "link": "Connect",
        "link_help": "Connect the selected vertex with another, or cut their edge (c); or drag between them with Shift",
        "remove": "Delete",
        "cut": "Cut edge",
        "remove_help": "Delete the selected vertex, or cut the selected edge (Delete)",
        "undo": "Undo (Ctrl+Z)",
        "redo": "Redo (Ctrl+Shift+Z)",
        "again": "Start again",
        "again_help": "Back to the original graph (can be undone)",
        "pin": "Compare from here",
        "pin_help": "Take the graph as it is now for the original, to compare with and to come back to",
        "both": "Side by side",
        "both_help": "The original beside the changed graph",
        "before": "original",
        "now": "changed",
        "score": "score",
        "label": "label",
        "not_positive": "A score is a number above 0.",
        "vertex": "Vertex {v}",
        "edge": "Edge {u} – {v}",
        "nothing": "No vertex selected",
        "handle": "Score of {v}",
        "handle_help": "Drag up or down: the score",
        "hint": "Drag the end of a bar, or the handle beside a vertex, and watch the trace follow. "
        "Double-click on an empty place adds a vertex; click an edge to cut it.",
        "hint_link": "Choose the vertex to connect {v} with; if they are connected, the edge is cut.",
        "hint_empty": "Double-click (or tap twice) on an empty place to add a vertex; then Connect, and choose the "
        "other.",
        "too_large": "This graph cannot be changed here: it has more than {most} vertices, or only a part of it is "
        "drawn.",
        "not_here": "A reduced graph cannot be changed: go back to level 0.",
        "same": "The same vertices survive as in the original",
        "marked": " ● marks them in the graph.",
        "instead": "{rises} now {rising?survives|survive} instead of {falls}",
        "rises": "{rises} now {rising?survives|survive} too",
        "falls": "{falls} no longer {falling?survives|survive}",
        "moves": "{moves} {moving?goes|go} to another survivor",
        "grows": "T grows from {a} to {b}",
        "shrinks": "T falls from {a} to {b}",
    },
    "predict": {
        "ask": "Which candidates survive in iteration {k}? Choose them in the graph, then check.",
        "none": "None chosen yet. Those that score higher than every candidate beside them survive.",
        "chosen": "Chosen: {list}",
        "check": "Check",
        "next": "Next iteration",
        "all_right": "All right: {right} of {of}.",
        "some_right": "{right} of {of} right.",
        "missed": "{v} was missed.",
        "wrong": "{v} was chosen.",
        "more": "and {more} more",
        "done": "No candidate is left.",
        "another": "Another graph",
        "same": "Another of difficulty {level}",
        "harder": "A harder one",
        "difficulty": "Difficulty {level} of {of}: {n} vertices, {T} {T?iteration|iterations}",
        "difficulty_help": "1: one iteration, up to 9 vertices. 2: two, up to 16. 3: three, up to "
        "30. 4: more of either, or equal scores, in which the order of the vertices decides.",
        "again": "The same again",
        "tally": "{right} of {of} right in this session",
        "forget": "Start counting anew",
    },
}
