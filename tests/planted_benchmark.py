"""Benchmarks made up for tests: random ones, in which a test plants what it looks for."""

from __future__ import annotations

from random import Random

__all__ = ["MAP", "Record", "random_benchmark"]

Record = dict[str, object]
MAP = "question=question,options=options,gold=gold,context=context,group=kind,cluster=talk,id=id"
_WORDS = [f"{start}{middle}{end}" for start in "bdfgklmnprst" for middle in ("a", "e", "io", "u") for end in "lnrst"]


def random_benchmark(items: int, *, options: int = 4, seed: int = 0) -> list[Record]:
    """Items of random words with random golds, ten a dialogue, of two kinds."""
    random = Random(seed)

    def words(count: int) -> str:
        return " ".join(random.sample(_WORDS, count))

    return [
        {
            "id": f"q{number}",
            "question": f"At turn {random.randrange(1, 10)}, what about {words(6)}?",
            "options": [words(random.randrange(3, 7)) for _ in range(options)],
            "gold": random.randrange(options),
            "context": f"talk {number // 10}: {words(40)}",
            "talk": number // 10,
            "kind": ("calm", "stormy")[number % 2],
        }
        for number in range(items)
    ]
