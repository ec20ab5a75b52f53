"""A dataset whose dialogues, answers and names try to get out of the page that shows them."""

from __future__ import annotations

from pathlib import Path

from planted_subjects import Planted, plant

from dtomtrack.beliefs.dialogue import Dialogue
from dtomtrack.beliefs.question import Question
from dtomtrack.runs.lines import read_lines, to_lines
from dtomtrack.runs.manifest import Manifest

__all__ = ["HOSTILE", "SUBJECT", "make_hostile"]

SUBJECT = "vllm/<img src=x onerror=document.title='owned'>$x^{2$"
HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<!--<script>document.title='owned'//",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"'><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "a line\u2028separator and \u0085 another",
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; `${document.title='owned'}`",
    "<style>*{display:none}</style><meta http-equiv=refresh content='0;url=https://example.org/'>",
)


def make_hostile(dataset: Path) -> None:
    """Put hostile text wherever a model's or a person's text may stand, and have a hostile model answer."""
    _rewrite(dataset)
    manifest = Manifest.model_validate_json((dataset / "manifest.json").read_bytes())
    config = {**manifest.config, "generator": HOSTILE[2]}
    hostile = manifest.model_copy(update={"config": config})
    (dataset / "manifest.json").write_text(hostile.model_dump_json(), encoding="utf-8")
    plant(dataset, [Planted(SUBJECT, 0.5, unread=0.3, reply=" ".join(HOSTILE))])


def _rewrite(dataset: Path) -> None:
    dialogues = [_dialogue(one) for one in read_lines(dataset / "dialogues.jsonl", Dialogue)]
    questions = [_question(one) for one in read_lines(dataset / "questions.jsonl", Question)]
    (dataset / "dialogues.jsonl").write_bytes(to_lines(dialogues))
    (dataset / "questions.jsonl").write_bytes(to_lines(questions))


def _dialogue(one: Dialogue) -> Dialogue:
    turns = tuple(
        turn.model_copy(
            update={
                "utterance": f"{turn.utterance} {HOSTILE[turn.index % len(HOSTILE)]}",
                "inner_speech": tuple(
                    thought.model_copy(update={"text": f"{thought.text} {HOSTILE[0]}"}) for thought in turn.inner_speech
                ),
            }
        )
        for turn in one.turns
    )
    agents = tuple(
        agent.model_copy(update={"role": HOSTILE[3], "private_info": HOSTILE}) for agent in one.scenario.agents
    )
    topics = tuple(topic.model_copy(update={"label": HOSTILE[1]}) for topic in one.scenario.topics)
    scenario = one.scenario.model_copy(update={"context": HOSTILE[0], "agents": agents, "topics": topics})
    beliefs = tuple(belief.model_copy(update={"content": f"{belief.content} {HOSTILE[2]}"}) for belief in one.beliefs)
    return one.model_copy(update={"scenario": scenario, "turns": turns, "beliefs": beliefs})


def _question(one: Question) -> Question:
    options = {letter: f"{text} {HOSTILE[2]}" for letter, text in one.options.items()}
    return one.model_copy(update={"question": f"{one.question} {HOSTILE[0]}", "options": options})
