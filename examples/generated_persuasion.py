"""Make persuasive conversations with questions of PersuasiveToM's eight types, audit them, and have baselines answer.

    python examples/generated_persuasion.py

Scripted actors speak; no language model takes part. The same on the command line:

    dtomtrack generate --suite persuasivetom --n 12 --domain health,work
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from dtomtrack import audit_benchmark, evaluate
from dtomtrack.runs.engines import choose_engine
from dtomtrack.runs.run import run
from dtomtrack.suites.generating import GenerationRequest, generating_suite
from dtomtrack.suites.persuasivetom.suite import SUITE

with tempfile.TemporaryDirectory() as place:
    folder = Path(place) / "persuasion"
    job = generating_suite("persuasivetom").job(GenerationRequest(domain="health,work", n=12))
    asyncio.run(run(job, choose_engine("local", 1), n=12, out=folder))
    item = next(SUITE.items(folder))
    for line in item.context.lines if item.context else ():
        print(f"{line.speaker}: {line.text}")
    print(f"{item.question} {' / '.join(item.options)}")
    print("worst rule that never reads:", audit_benchmark(folder, by_group=False).rows[0].rule)
    for metrics in evaluate(folder, ["baseline/random", "baseline/overlap"]):
        print(f"{metrics.config.subject}: {metrics.micro.accuracy.value:.1%} of {metrics.micro.items}")
