"""Several targets in one document: ratios to the first with intervals, and a table with a column
for each.
"""

from __future__ import annotations

from motebench.base.model import Case, CaseResult, Evidence, Operation, Run, RunInfo, Sample, Series
from motebench.cli.text.line_tables import board_lines
from motebench.documents.result import Result
from motebench.results.document import result
from motebench.results.presentation.beside import boards_tables
from motebench.results.presentation.rows import rows_of
from motebench.show.report.page import render


def measured(
    target: str,
    times: list[float],
    *,
    evidence: Evidence = Evidence.MEASURED,
    scheme: str = "aes-128-gcm",
    disturbed: str = "",
) -> CaseResult:
    case = Case(scheme, "openssl", Operation.ENCRYPT_MESSAGE, 1024, target, "openssl")
    samples = tuple(Sample(place, value, disturbed=disturbed) for place, value in enumerate(times))
    return CaseResult(
        case, (Series("time", "ns", 1.0, 0.0, "clock", evidence, samples),), finished=True
    )


def run(*results: CaseResult, boards: dict[str, str] | None = None) -> Result:
    settings = {"study": "s", **({"boards": boards} if boards else {})}
    info = RunInfo(1, "r", "", "2026-01-01T00:00:00+00:00", None, "finished", "0", 1, settings)
    return result(Run(info, results), samples=True)


def spread(level: float) -> list[float]:
    return [level * (1 + 0.001 * ((place * 7) % 11 - 5)) for place in range(20)]


def test_the_ratio_to_the_first_target_has_an_interval_that_holds_it() -> None:
    shown = run(
        measured("ssh:a", spread(1000)),
        measured("ssh:b", spread(2500)),
        measured("ssh:c", spread(1000)),
    )
    by_target = {entry.target: entry for entry in shown.ratios}
    assert set(by_target) == {"ssh:b", "ssh:c"} and all(
        entry.to == "ssh:a" for entry in shown.ratios
    )
    slower, same = by_target["ssh:b"], by_target["ssh:c"]
    assert slower.ci_low < 2.5 < slower.ci_high and slower.ci_high / slower.ci_low < 1.02
    assert (slower.verdict, same.verdict) == ("higher", "not distinguishable")


def test_one_target_has_no_ratios_and_kinds_of_evidence_are_never_divided() -> None:
    assert not run(measured("host", spread(1000))).ratios
    mixed = run(
        measured("host", spread(1000)),
        measured("sim:a", [5000.0, 5000.0], evidence=Evidence.SIMULATED),
    )
    assert not mixed.ratios and not boards_tables(mixed, rows_of(mixed))


def test_simulated_ratios_are_exact() -> None:
    simulated = [
        measured(f"sim:{name}", [level] * 2, evidence=Evidence.SIMULATED)
        for name, level in (("a", 4000.0), ("b", 3000.0))
    ]
    (entry,) = run(*simulated).ratios
    assert entry.ratio == entry.ci_low == entry.ci_high == 0.75 and entry.verdict == "lower"


def test_what_must_not_be_quoted_is_not_compared() -> None:
    shown = run(
        measured("ssh:a", spread(1000)), measured("ssh:b", spread(2500), disturbed="throttled")
    )
    assert not shown.ratios


def test_the_table_has_a_column_for_each_target_by_its_name_in_the_fleet() -> None:
    shown = run(
        measured("ssh:a", spread(1000)),
        measured("ssh:b", spread(2500)),
        measured("ssh:b", spread(9), scheme="x"),
        boards={"ssh:a": "pi3", "ssh:b": "bone"},
    )
    (lines,) = board_lines(shown, rows_of(shown), 80)
    assert lines[0].startswith("Time by target, measured") and "that of pi3" in lines[0]
    assert lines[1].split() == ["scheme", "operation", "by", "pi3", "bone"]
    (line,) = lines[2:]
    assert (
        line.split()[:5] == ["aes-128-gcm", "encrypt-message", "1", "KiB", "openssl"]
        and "x 2.5 ±" in line
    )
    assert all(len(each) <= 80 for each in lines[1:])


def test_a_narrow_terminal_gets_several_tables_each_with_the_first_target() -> None:
    shown = run(
        *(measured(f"ssh:pi@raspberry{number}", spread(1000 + number)) for number in range(5))
    )
    pieces = list(board_lines(shown, rows_of(shown), 80))
    assert len(pieces) == 4 and all("ssh:pi@raspberry0" in piece[1] for piece in pieces)
    named = [word for piece in pieces for word in piece[1].split() if word.startswith("ssh:")]
    assert set(named) == {f"ssh:pi@raspberry{number}" for number in range(5)}


def test_the_report_has_the_table() -> None:
    shown = run(measured("ssh:a", spread(1000)), measured("ssh:<b>", spread(2500)))
    page = render(shown)
    assert (
        'id="boards"' in page
        and "<b>" not in page.partition('id="boards"')[2].partition("</section>")[0]
    )
    assert 'id="boards"' not in render(run(measured("ssh:a", spread(1000))))
