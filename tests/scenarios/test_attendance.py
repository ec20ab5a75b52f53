"""Who is there while a dialogue is being planned."""

from __future__ import annotations

from dtomtrack.scenarios.planning.attendance import Absence, Attendance


def test_who_comes_late_is_away_until_they_come() -> None:
    attendance = Attendance(["Ana", "Ben", "Cleo"], [Absence("Cleo", 0, 1)])
    assert attendance.away == {"Cleo"}
    attendance.come_back("Cleo", 4)
    assert attendance.present == ("Ana", "Ben", "Cleo")
    assert attendance.last_absence("Cleo").until == 4


def test_who_does_not_come_back_after_all_leaves_the_others_where_they_are() -> None:
    attendance = Attendance(["Ana", "Ben", "Cleo"], [])
    attendance.leave("Ana", 2, 0)
    attendance.leave("Ben", 3, 1)
    attendance.come_back("Ben", 5)
    attendance.come_back("Ana", 6)
    attendance.stay_away("Ana")
    assert attendance.present == ("Ben", "Cleo")
    assert [one.until for one in attendance.absences] == [None, 5]
