"""An output written bit by bit: the program has the plan, the model finds the words for one thing after another.

Each call is short, its answer small and flat, and checked by itself, so that a weak model can do it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dtomtrack.beliefs.scenario import MentalState, Personality
from dtomtrack.llm.prompts import Prompt, as_data, prompt
from dtomtrack.scenarios.changes import draw_personality
from dtomtrack.scenarios.labels import contents_told
from dtomtrack.scenarios.pack import DomainPack
from dtomtrack.scenarios.writing.examples import EXAMPLES, RETURN_EXAMPLE, SETTING_EXAMPLE, Example
from dtomtrack.scenarios.writing.output_rules import (
    content_problems,
    context_problems,
    copy_problems,
    fact_problems,
    label_problems,
    line_problems,
    name_problems,
    same_fact_problems,
    secret_problems,
    setting_problems,
    telling_problems,
    usable_others,
)
from dtomtrack.scenarios.writing.outputs import (
    LONGEST_LINE,
    AgentOutput,
    ChangeOutput,
    MindOutput,
    NamesOutput,
    OthersOutput,
    ReasonOutput,
    RoleLetter,
    ScenarioOutput,
    SettingOutput,
    StableOutput,
    StateOutput,
    as_content,
    as_label,
    as_line,
)
from dtomtrack.scenarios.writing.plan import OTHERS, Plan, PlannedChange, PlannedState
from dtomtrack.scenarios.writing.prompter import Prompter

__all__ = ["write_planned"]

_PACKAGE = "dtomtrack.scenarios.writing"
_DRAWS = 20
_SHORT, _LONG = 300, 700
"""Tokens of an answer."""


async def write_planned(prompter: Prompter, pack: DomainPack, plan: Plan) -> ScenarioOutput:
    """The output of a plan.

    Raises:
        ReplyError: what the model wrote can't be used, also when it was told what is wrong.
    """
    rng = prompter.slot.random(prompter.attempt, "cast")
    personalities = draw_personality(rng), draw_personality(rng)
    names = await _names(prompter, pack)
    setting = await _setting(prompter, pack, names)
    return await _Filling(prompter, pack, plan, names, setting).output(personalities)


# -- the cast and the setting ----------------------------------------------------------------------------------------


async def _names(prompter: Prompter, pack: DomainPack) -> tuple[str, str]:
    """Two names of the pack that can't be mistaken for each other; without them, two by the model."""
    rng = prompter.slot.random(prompter.attempt, "names")
    for _ in range(_DRAWS if len(pack.names) > 1 else 0):
        first, second = rng.sample(pack.names, 2)
        if not [*name_problems([first, second])]:
            return first, second
    text = prompt(_PACKAGE, "planned_names").fill(title=pack.title, role_a=pack.roles.a.role, role_b=pack.roles.b.role)
    found = await prompter.ask(
        "scenario names", text, NamesOutput, lambda found: [*name_problems(_both(found))], _SHORT
    )
    return _both(found)


def _both(found: NamesOutput) -> tuple[str, str]:
    return as_line(found.name_a), as_line(found.name_b)


async def _setting(prompter: Prompter, pack: DomainPack, names: tuple[str, str]) -> SettingOutput:
    text = prompt(_PACKAGE, "planned_setting").fill(
        title=pack.title,
        brief=pack.brief,
        role_a=pack.roles.a.role,
        role_b=pack.roles.b.role,
        name_a=names[0],
        name_b=names[1],
        example=SETTING_EXAMPLE.model_dump_json(),
    )
    written = await prompter.ask(
        "scenario setting", text, SettingOutput, lambda written: _setting_problems(_tidy_setting(written)), _LONG
    )
    return _tidy_setting(written)


def _tidy_setting(written: SettingOutput) -> SettingOutput:
    lines = {field: as_line(getattr(written, field)) for field in ("goal_a", "secret_a", "goal_b", "secret_b")}
    return written.model_copy(update={**lines, "context": " ".join(written.context.split())})


def _setting_problems(setting: SettingOutput) -> list[str]:
    texts = setting.model_dump().values()
    return [
        *copy_problems(texts, [*SETTING_EXAMPLE.model_dump().values()]),
        *context_problems(setting.context),
        *line_problems("goal_a", setting.goal_a, LONGEST_LINE),
        *line_problems("secret_a", setting.secret_a, LONGEST_LINE),
        *line_problems("goal_b", setting.goal_b, LONGEST_LINE),
        *line_problems("secret_b", setting.secret_b, LONGEST_LINE),
        *secret_problems(setting.secret_a, setting.secret_b),
    ]


# -- minds -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Holder:
    """Whose mind it is, what they know all along (a secret, a goal, the context), and how it is spoken of."""

    letter: RoleLetter
    name: str
    partner: str
    known: tuple[str, str, str]
    state: MentalState

    @property
    def example(self) -> Example:
        return EXAMPLES[self.state]

    @property
    def where(self) -> str:
        return f"what {self.name} {self.example.verb}"

    def content(self, text: str) -> str:
        return as_content(self.state, text, (self.name,))


class _Filling:
    """Finds the words for one plan."""

    def __init__(
        self, prompter: Prompter, pack: DomainPack, plan: Plan, names: tuple[str, str], setting: SettingOutput
    ) -> None:
        self._prompter = prompter
        self._pack = pack
        self._plan = plan
        self._names = names
        self._setting = setting
        self._taken: list[str] = []

    async def output(self, personalities: tuple[Personality, Personality]) -> ScenarioOutput:
        """The whole output; what comes later may not repeat what came before."""
        changes: list[ChangeOutput] = []
        for number, planned in enumerate(self._plan.changes, 1):
            name = f"scenario change {number}"
            if planned.back_from is None:
                changes.append(await self._change(name, planned))
            else:
                changes.append(await self._return(name, planned, changes[planned.back_from]))
        stable = [
            await self._stable(f"scenario state {number}", planned)
            for number, planned in enumerate(self._plan.stable, 1)
        ]
        setting, roles = self._setting, self._pack.roles
        return ScenarioOutput(
            context=setting.context,
            agent_a=_agent(self._names[0], roles.a.role, personalities[0], setting.secret_a, setting.goal_a),
            agent_b=_agent(self._names[1], roles.b.role, personalities[1], setting.secret_b, setting.goal_b),
            planned_belief_changes=tuple(changes),
            steady_states=tuple(stable),
        )

    def _holder(self, planned: PlannedChange | PlannedState) -> _Holder:
        (first, second), setting = self._names, self._setting
        if planned.agent == "a":
            known = setting.secret_a, setting.goal_a, setting.context
            return _Holder("a", first, second, known, planned.mental_state)
        known = setting.secret_b, setting.goal_b, setting.context
        return _Holder("b", second, first, known, planned.mental_state)

    def _fill(self, template: str, holder: _Holder, **values: str) -> str:
        (first, second), roles = self._names, self._pack.roles
        setting = f"{first} ({roles.a.role}) and {second} ({roles.b.role}) talk. {as_data(self._setting.context)}"
        return prompt(_PACKAGE, template).fill(setting=setting, name=holder.name, verb=holder.example.verb, **values)

    def _taken_said(self) -> str:
        if not self._taken:
            return ""
        return f"Find a new topic, none of these: {', '.join(as_data(label) for label in self._taken)}.\n"

    async def _change(self, name: str, planned: PlannedChange) -> ChangeOutput:
        holder = self._holder(planned)
        example = holder.example
        text = self._fill(
            "planned_change",
            holder,
            partner=holder.partner,
            how=Prompt(example.how).fill(name=holder.name, partner=holder.partner),
            example=_json(topic=example.topic, old=example.old, fact=example.fact, new=example.new),
            taken=self._taken_said(),
        )
        mind = await self._prompter.ask(
            name, text, MindOutput, lambda mind: self._mind_problems(_tidy_mind(holder, mind), holder), _SHORT
        )
        mind = _tidy_mind(holder, mind)
        self._taken.append(mind.topic)
        return ChangeOutput(
            turn=planned.turn,
            agent=planned.agent,
            trigger_type=planned.trigger,
            mental_state=planned.mental_state,
            topic=mind.topic,
            old_belief=mind.old,
            new_belief=mind.new,
            fact=mind.fact,
            others=await self._others(name, holder, mind.topic, (mind.old, mind.new)),
        )

    def _mind_problems(self, mind: MindOutput, holder: _Holder) -> list[str]:
        return [
            *copy_problems((mind.topic, mind.old, mind.fact, mind.new), holder.example.texts),
            *label_problems(mind.topic, self._taken),
            *content_problems(holder.where, (mind.old, mind.new)),
            *telling_problems(mind.topic, (mind.old, mind.new)),
            *fact_problems(holder.where, mind.fact, mind.topic, mind.new, holder.known),
            *setting_problems(holder.where, holder.state, (mind.old, mind.new), self._setting.context),
        ]

    async def _return(self, name: str, planned: PlannedChange, first: ChangeOutput) -> ChangeOutput:
        holder = self._holder(planned)
        text = self._fill(
            "planned_return",
            holder,
            partner=holder.partner,
            topic=as_data(first.topic),
            old=as_data(first.old_belief),
            new=as_data(first.new_belief),
            fact=as_data(first.fact),
            example=_json(fact=RETURN_EXAMPLE),
        )
        back = await self._prompter.ask(
            name, text, ReasonOutput, lambda back: _reason_problems(as_line(back.fact), first, holder), _SHORT
        )
        turned = {
            "turn": planned.turn,
            "trigger_type": planned.trigger,
            "old_belief": first.new_belief,
            "new_belief": first.old_belief,
            "fact": as_line(back.fact),
        }
        return first.model_copy(update=turned)

    async def _stable(self, name: str, planned: PlannedState) -> StableOutput:
        holder = self._holder(planned)
        example = _json(topic=holder.example.topic, state=holder.example.old)
        text = self._fill("planned_state", holder, example=example, taken=self._taken_said())
        written = await self._prompter.ask(
            name,
            text,
            StateOutput,
            lambda written: [
                *copy_problems((as_label(written.topic), holder.content(written.state)), holder.example.texts),
                *label_problems(as_label(written.topic), self._taken),
                *content_problems(holder.where, (holder.content(written.state),)),
            ],
            _SHORT,
        )
        topic, state = as_label(written.topic), holder.content(written.state)
        self._taken.append(topic)
        wrong, *others = await self._others(name, holder, topic, (state,))
        return StableOutput(
            agent=planned.agent,
            mental_state=planned.mental_state,
            topic=topic,
            state=state,
            wrong_assumption=wrong,
            others=tuple(others),
        )

    async def _others(self, name: str, holder: _Holder, topic: str, contents: Sequence[str]) -> tuple[str, ...]:
        """Three more contents of a state; of those that are written, the first that can be used."""
        example = holder.example
        shown = (example.old, example.new)[: len(contents)]
        text = self._fill(
            "planned_others",
            holder,
            topic=as_data(topic),
            contents="\n".join(as_data(content) for content in contents),
            example_topic=as_data(example.topic),
            example_contents=" and ".join(as_data(content) for content in shown),
            example=_json(others=example.others),
        )

        def usable(written: OthersOutput) -> tuple[str, ...]:
            others = [holder.content(other) for other in written.others]
            own = [one for one in others if not [*copy_problems([one], example.texts)]]
            return usable_others(contents, [one for one in own if one not in contents_told(topic, [*contents, one])])[
                :OTHERS
            ]

        def wrong(written: OthersOutput) -> list[str]:
            if len(usable(written)) == OTHERS:
                return [*telling_problems(topic, (*contents, *usable(written)))]
            others = [holder.content(other) for other in written.others]
            told = [*copy_problems(others, example.texts), *content_problems(holder.where, [*contents, *others])]
            least = f"give {OTHERS} others at least, none of which alone has a word of {as_data(topic)}"
            return told or [f"{holder.where}: {least}"]

        return usable(await self._prompter.ask(f"{name} others", text, OthersOutput, wrong, _SHORT))


def _reason_problems(fact: str, first: ChangeOutput, holder: _Holder) -> list[str]:
    """Problems of what undoes a first change."""
    return [
        *copy_problems((fact,), (*holder.example.texts, RETURN_EXAMPLE)),
        *fact_problems(holder.where, fact, first.topic, first.old_belief, holder.known),
        *same_fact_problems(holder.where, fact, first.fact),
    ]


def _tidy_mind(holder: _Holder, mind: MindOutput) -> MindOutput:
    return MindOutput(
        topic=as_label(mind.topic),
        old=holder.content(mind.old),
        fact=as_line(mind.fact),
        new=holder.content(mind.new),
    )


def _agent(name: str, role: str, personality: Personality, secret: str, goal: str) -> AgentOutput:
    return AgentOutput(name=name, role=role, personality=personality, private_info=secret, goal=goal)


def _json(**fields: str | Iterable[str]) -> str:
    return json.dumps(fields, ensure_ascii=False)
