"""Audit a benchmark of your own: can its questions be answered without what they are about?

    python examples/audit_a_benchmark.py

The benchmark below is made up, with two flaws that published ones have: whoever wrote it ended the right option with a
full stop more often than the others, and asked one question twice with two golds. The same on the command line, for a
file, with an exit status of 1 for somebody's CI:

    dtomtrack audit benchmark.jsonl --map question=ask,options=choices,gold=key,context=story,cluster=story_id --gate
"""

from __future__ import annotations

from random import Random

from dtomtrack import audit_benchmark

PEOPLE = ("Ada", "Ben", "Chiara", "Dov", "Esra", "Finn")
THINGS = ("lantern", "kettle", "ledger", "violin", "parcel", "compass")
PLACES = ("the attic", "the cellar", "the garden shed", "the piano stool", "the pantry", "the hall")


def benchmark() -> list[dict[str, object]]:
    """Four questions about each of fifty stories."""
    random = Random(0)  # noqa: S311
    items: list[dict[str, object]] = []
    for story in range(50):
        people = random.sample(PEOPLE, 4)
        hidden = {
            who: (what, where) for who, what, where in zip(people, THINGS, random.sample(PLACES, 4), strict=False)
        }
        told = " ".join(f"{who} put the {what} in {where}." for who, (what, where) in hidden.items())
        for who, (what, where) in hidden.items():
            options = random.sample([place for place in PLACES if place != where], 3)
            options.insert(random.randrange(4), where)
            choices = [f"In {one}{'.' if one == where and random.random() < 0.7 else ''}" for one in options]
            ask = f"Where does {who} think that the {what} is?"
            key = "ABCD"[options.index(where)]
            items.append(
                {"id": f"{story}-{who}", "story_id": story, "story": told, "ask": ask, "choices": choices, "key": key}
            )
    wrong = "A" if items[0]["key"] != "A" else "B"
    return [*items, {**items[0], "id": "again", "key": wrong}]


def main() -> None:
    found = audit_benchmark(benchmark(), "id=id,question=ask,options=choices,gold=key,context=story,cluster=story_id")
    for row in found.rows[:5]:
        accuracy = row.accuracy
        print(f"{row.rule}: {accuracy.value:.1%} ({accuracy.low:.1%} to {accuracy.high:.1%}), chance {row.chance:.1%}")
    print("The gate would say:")
    for failure in found.failures():
        print(f"  {failure}")


if __name__ == "__main__":
    main()
