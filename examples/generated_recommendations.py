"""Make recommendation dialogues with questions of RecToM's ten types, see what is hidden in one, ask baselines.

    python examples/generated_recommendations.py

Scripted actors speak; no language model takes part. The same on the command line:

    dtomtrack generate --suite rectom --n 12 --domain films,trips
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from dtomtrack import evaluate
from dtomtrack.runs.engines import choose_engine
from dtomtrack.runs.lines import read_lines
from dtomtrack.runs.run import run
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.rectom.generation.states import STATES, StateRecord
from dtomtrack.suites.rectom.suite import SUITE

with tempfile.TemporaryDirectory() as place:
    folder = Path(place) / "recommending"
    job = generating_suite("rectom").job(GenerationRequest(domain="films,trips", n=12))
    asyncio.run(run(job, choose_engine("local", 1), n=12, out=folder))
    item = next(one for one in SUITE.items(folder) if one.groups["type"] == "judgement_rec")
    for line in item.context.lines if item.context else ():
        print(f"{line.speaker}: {line.text}")
    print(f"{item.question} {' / '.join(item.options)}")
    state = next(read_lines(folder / STATES, StateRecord))
    print(f"hidden: likes {', '.join(state.likes)}; false beliefs after lines {list(state.false_beliefs)}")
    for metrics in evaluate(folder, ["baseline/random", "baseline/learnt-utterance"]):
        print(f"{metrics.config.subject}: {metrics.micro.accuracy.value:.1%} of {metrics.micro.items}")
