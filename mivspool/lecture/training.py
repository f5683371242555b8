"""The chapter that needs a trained network: what learning changes, on the record of a released model's training.

It is the app's alone: the static site has no models.
"""

from __future__ import annotations

from mivspool.lecture.chapters import Chapter, Onward

MODEL = "mao-mivspool"
"""The released model whose record the chapter shows first; its text is about this one."""
SHORT = "Learning"
RECORD_OF = "Model whose training is shown"
NO_RECORD = "The record of this model's training is not here: {reason}"
ABOUT = (
    "Recorded while training with the settings of `{model}`: one {part} graph of each class, {epochs}. {which} Train "
    "shows the same of a training of your own, live."
)
ALL_EPOCHS = "every epoch"
SOME_EPOCHS = "every epoch whose number is divisible by {n}, and the best one"
THE_SAME = "It ended in the weights of `{model}`."
ANOTHER = (
    "It is not the training that made `{model}`: on another processor it ended in other weights, which differ from the "
    "model's by up to {apart:.2g}."
)

CHAPTER = Chapter(
    "learning",
    "What learning changes",
    (
        "Scores with random weights say little: on two molecules of MAO, the untrained multiview scores lie between "
        "0.71 and 0.74. Training changes the weights so that the classes can be told apart; the scores change with "
        "them.",
        "A score is learned through Eq. 12 alone. It is the weight of a vertex in the mean of its cluster: where the "
        "features of one member help to tell the classes apart, its weight grows at the others' cost. Which vertices "
        "survive is not learned directly, since a choice has no gradient: it changes at once, when one score passes "
        "another.",
        "So survivors change in jumps, while probabilities and loss move little by little. A change at the first level "
        "changes the reduced graph, and all that is computed from it.",
    ),
    "Press Play and watch the survivors. Then drag the slider to the epoch of the lowest validation loss, and set it "
    "beside the untrained network with *Before and after*.",
    "Learning moves scores, and moves survivors only where one score passes another. The rules of Eq. 8 and Eq. 9 hold "
    "at every epoch, trained or not.",
    source="MAO:3",
    score="multiview",
    onward=(
        Onward(
            "Train a network yourself",
            "The same, live: scores and survivors epoch by epoch, beside the curves.",
            "train",
            (("dataset", "MAO"),),
        ),
    ),
)
