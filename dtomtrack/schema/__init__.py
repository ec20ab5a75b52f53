"""The records that dtomtrack reads and writes: frozen, and closed to unknown fields."""

from dtomtrack.schema.base import Record
from dtomtrack.schema.dialogue import (
    BeliefRecord,
    DetectedUpdate,
    Dialogue,
    InnerSpeech,
    Provenance,
    Turn,
    UpdateVerification,
)
from dtomtrack.schema.json_schema import json_schemas
from dtomtrack.schema.manifest import FORMAT_VERSION, Counts, Manifest, Rejection, RunConfig, SlotEntry
from dtomtrack.schema.question import (
    LETTERS,
    Asks,
    Factors,
    Letter,
    OptionRole,
    Question,
    QuestionType,
    QuestionVerdict,
)
from dtomtrack.schema.scenario import (
    FIRST_UPDATE_TURN,
    Agent,
    InitialState,
    MentalState,
    Personality,
    PlannedUpdate,
    Presumption,
    Scenario,
    Topic,
    Trigger,
)

__all__ = [
    "FIRST_UPDATE_TURN",
    "FORMAT_VERSION",
    "LETTERS",
    "Agent",
    "Asks",
    "BeliefRecord",
    "Counts",
    "DetectedUpdate",
    "Dialogue",
    "Factors",
    "InitialState",
    "InnerSpeech",
    "Letter",
    "Manifest",
    "MentalState",
    "OptionRole",
    "Personality",
    "PlannedUpdate",
    "Presumption",
    "Provenance",
    "Question",
    "QuestionType",
    "QuestionVerdict",
    "Record",
    "Rejection",
    "RunConfig",
    "Scenario",
    "SlotEntry",
    "Topic",
    "Trigger",
    "Turn",
    "UpdateVerification",
    "json_schemas",
]
