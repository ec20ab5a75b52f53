"""What was asked to be kept from somebody, until each of those who were asked hears it told."""

from __future__ import annotations

from dtomtrack.scenarios.planning.secrets import Secrets

STATE = ("Francesca", "transfer")
KEPT = (*STATE, "go by free shuttle")


def test_who_was_out_when_it_was_told_still_keeps_it() -> None:
    """Before everybody: "Francesca, you're going in by shuttle", by one who was out when she said that she wasn't."""
    secrets = Secrets()
    secrets.ask(9, *KEPT, confidants={"Emeka", "Milena"}, kept_from="Oluwaseun")
    secrets.tell(*STATE, hearers={"Francesca", "Milena", "Oluwaseun"})
    assert secrets.is_kept_from("Oluwaseun", "Emeka", *KEPT)
    assert not secrets.is_kept_from("Oluwaseun", "Milena", *KEPT)


def test_what_all_have_heard_is_no_secret() -> None:
    secrets = Secrets()
    secrets.ask(9, *KEPT, confidants={"Emeka", "Milena"}, kept_from="Oluwaseun")
    secrets.tell(*STATE, hearers={"Francesca", "Emeka", "Milena"})
    assert secrets.is_kept_from("Oluwaseun", "Milena", *KEPT)
    secrets.tell(*STATE, hearers={"Francesca", "Emeka", "Milena", "Oluwaseun"})
    assert not secrets.is_kept_from("Oluwaseun", "Milena", *KEPT)
    assert not secrets.is_fresh(*STATE, now=10, length=60)
