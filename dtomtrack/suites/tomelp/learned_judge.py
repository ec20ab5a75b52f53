"""A second blind judge that is learnt: a bag of words that tells the routes of replies apart, and needs no model.

It learns the route that a reply was to take from the words of other replies of the same subject, without tags, and
reads replies to topics that it has never met (scenes, where topics are few): dossiers and cues are those of a topic.
How well it does is how far a subject's two routes can be told apart by words at all; what it says of a reply stands
beside what the judge says blind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dtomtrack.evaluation.agreement import Agreement, agreement
from dtomtrack.evaluation.bounded import Estimate, Range, mean_score
from dtomtrack.graphs.route_judging import without_tags
from dtomtrack.records import Count, Record
from dtomtrack.scenarios.route.terms import ROUTES, Variant
from dtomtrack.suites.tomelp.scoring import Scene

__all__ = ["LearnedRoutes", "learned_routes"]

_FOLDS = 5
_LEAST_TOPICS = 5
_MOST_SCENES = 120
"""Scenes that are learnt from and read: more tell no more, and would all have to be in memory at a time."""
_STRENGTH = 0.5
"""The inverse of regularisation."""
_RARE = 2
"""A word that fewer replies have is not looked at."""


class LearnedRoutes(Record):
    """What the learnt judge finds of one variant's clean replies.

    Attributes:
        predicted: share of replies that it takes for the route that they were to follow.
        agreement: with the judge's blind calls.
    """

    variant: Variant
    replies: Count
    predicted: Estimate
    agreement: Agreement


@dataclass(frozen=True)
class _Reply:
    scene: int
    topic: str
    variant: Variant
    text: str
    route: int
    judged: int | None


def learned_routes(scenes: Iterable[Scene]) -> tuple[LearnedRoutes, ...]:
    """The learnt judge's findings, by variant; none where scikit-learn is missing, or nothing is to be learnt from."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        return ()
    replies = [one for scene in scenes if scene.number < _MOST_SCENES for one in _clean(scene)]
    by_variant: dict[Variant, list[tuple[_Reply, int]]] = {}
    for reply, route in _read(replies):
        by_variant.setdefault(reply.variant, []).append((reply, route))
    return tuple(_summed(variant, own) for variant, own in by_variant.items())


def _clean(scene: Scene) -> Iterator[_Reply]:
    for reply in scene.played.replies:
        if reply.text is not None and reply.disturbance == "clean" and reply.ablation == "none":
            yield _Reply(
                scene=scene.number,
                topic=scene.state.topic,
                variant=reply.variant,
                text=without_tags(reply.text),
                route=ROUTES.index(reply.route),
                judged=None if reply.verdicts.blind is None else ROUTES.index(reply.verdicts.blind),
            )


def _read(replies: Sequence[_Reply]) -> Iterator[tuple[_Reply, int]]:
    """Each reply with its route as it is learnt from replies of other folds."""
    topics = sorted({one.topic for one in replies})
    by_topic = len(topics) >= _LEAST_TOPICS
    folds = [(topics.index(one.topic) if by_topic else one.scene) % _FOLDS for one in replies]
    for fold in range(_FOLDS):
        train = [one for one, own in zip(replies, folds, strict=True) if own != fold]
        test = [one for one, own in zip(replies, folds, strict=True) if own == fold]
        if test and len({one.route for one in train}) == len(ROUTES):
            yield from zip(test, _learnt(train, test), strict=True)


def _learnt(train: Sequence[_Reply], test: Sequence[_Reply]) -> list[int]:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=_RARE)
    try:
        rows = words.fit_transform([one.text for one in train])
    except ValueError:
        # no word is there twice
        return [0] * len(test)
    learnt = LinearSVC(C=_STRENGTH, random_state=0).fit(rows, [one.route for one in train])
    return [int(one) for one in learnt.predict(words.transform([one.text for one in test]))]


def _summed(variant: Variant, read: Sequence[tuple[_Reply, int]]) -> LearnedRoutes:
    return LearnedRoutes(
        variant=variant,
        replies=len(read),
        predicted=mean_score([(reply.scene, float(route == reply.route)) for reply, route in read], Range()),
        agreement=agreement([(route, reply.judged) for reply, route in read]),
    )
