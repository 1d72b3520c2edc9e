"""The runs of a replication, and what is made of their results: tables, document, page."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from markupsafe import escape
from report_sample import case, measurement, sample_document
from result_documents import read

from motebench.base.errors import InputError
from motebench.base.model import Evidence
from motebench.base.shapes import as_document
from motebench.catalog.published import paper
from motebench.cli.app import app
from motebench.documents import schema
from motebench.documents.papers import ReplicationAirEntry
from motebench.documents.result import Result
from motebench.publications.audit.auditing import audit_paper
from motebench.publications.papers.bundle import (
    BundledRequest,
    check_bundle,
    compared,
    read_bundle,
    write_bundle,
)
from motebench.publications.papers.claims import folder_of, read_claims, replicable
from motebench.publications.papers.document import document
from motebench.publications.papers.judging import JudgedSide, judge
from motebench.publications.papers.page import ChartAxis, air, render
from motebench.publications.papers.parts import (
    InputScale,
    check_targets,
    needless,
    prepare,
    targets_for,
)
from motebench.publications.papers.replicate import ClaimVerdicts, Replication, run_name
from motebench.publications.papers.values import ClaimValue, own_cells, published_cells


def replication(key: str, faster: float = 2.0) -> Replication:
    """A replication whose results are the printed numbers divided by ``faster``, as if measured."""
    claims = read_claims(key)
    printed = published_cells(folder_of(key), claims)
    ours = [_measured(cell, faster) for cell in printed]
    told = [
        ClaimVerdicts(
            claim,
            judge(claim, JudgedSide(printed, False, claims.device, claims.quantity)),
            judge(claim, JudgedSide(ours, True, claims.device)),
            None,
        )
        for claim in claims.claim
    ]
    return Replication(
        paper(key), claims, printed, ours, (), told, (), "small", ("own: nothing is installed",)
    )


def _measured(cell: ClaimValue, faster: float) -> ClaimValue:
    value = cell.value
    assert value.low is not None
    assert value.high is not None
    scaled = replace(
        value, value=value.value / faster, low=value.low / faster, high=value.high / faster
    )
    return replace(
        cell, value=scaled, evidence=Evidence.MEASURED, implementation="lib/x", device="host"
    )


@pytest.mark.parametrize("key", replicable())
def test_every_part_of_every_paper_can_be_prepared(key: str) -> None:
    claims = read_claims(key)
    assert claims.part
    for part in claims.part:
        for scale in (InputScale(), InputScale(small=True)):
            prepared = prepare(part, claims, (), scale)
            assert prepared is not None, "every part has cells that claims compare"
            assert prepared.question.study.measure
            assert all(new <= old for new, old in prepared.sizes.items())


def test_a_scale_makes_large_sizes_smaller_and_keeps_small_ones() -> None:
    claims = read_claims("suryateja-2025")
    (part,) = [part for part in claims.part if part.name == "paper"]
    tenth = prepare(part, claims, (), InputScale(0.1))
    assert tenth is not None
    assert tenth.sizes == {1000: 1000, 10000: 100000, 100000: 10**6, 10**6: 10**7, 10**7: 10**8}
    with pytest.raises(InputError, match="become one size"):
        prepare(part, claims, (), InputScale(1e-5))


def test_small_sizes_take_the_place_of_the_published_ones_in_their_order() -> None:
    (part,) = [part for part in read_claims("jose-2023").part if part.name == "paper"]
    small = InputScale(small=True)
    assert small.sizes(part, [10**9, 10**8]) == {10**8: 4_000_000, 10**9: 20_000_000}
    assert small.sizes(part.model_copy(update={"small": ()}), [10**9, 10**8]) == {
        10**8: 10**8,
        10**9: 10**9,
    }
    with pytest.raises(InputError, match="has 3 sizes"):
        small.sizes(part, [10**7, 10**8, 10**9])


@pytest.mark.parametrize("text", ["0", "-1", "2", "tiny", "nan"])
def test_a_scale_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not a scale"):
        InputScale.of(text)


def test_a_target_goes_to_the_parts_of_its_kind() -> None:
    parts = {part.name: part for part in read_claims("jose-2023").part}
    asked = ("ssh:pi", "command:ssh:pi")
    assert targets_for(parts["paper"], asked) == ("command:ssh:pi",)
    assert targets_for(parts["own"], asked) == ("ssh:pi",)
    assert targets_for(parts["own"], ()) == ("host",)
    with pytest.raises(InputError, match="no part that runs on"):
        check_targets(parts.values(), ["sim:atmega2560"])


def test_the_same_request_has_the_same_name_of_its_run() -> None:
    assert run_name("jose-2023", "paper", InputScale(), ()) == "jose-2023_paper"
    assert (
        run_name("jose-2023", "paper", InputScale.of("small"), ["ssh:pi@x"])
        == "jose-2023_paper_small_ssh-pi-x"
    )


def test_values_that_are_all_faster_have_the_same_shape() -> None:
    (found,) = document([replication("temirbekova-2024")]).papers
    times = [table for table in found.tables if table.metric == "time"]
    assert times
    for table in times:
        assert {tau.tau for tau in table.taus} == {1.0}
        assert all(row.ours.value == pytest.approx(row.published.value) for row in table.exponents)
        assert all(
            cell.ours_ratio is not None
            and cell.published_ratio is not None
            and cell.ours_ratio.value == pytest.approx(cell.published_ratio.value)
            for cell in table.cells
        )
    verdicts = {
        claim.id: claim.replicated.verdict for claim in found.claims if claim.replicated is not None
    }
    assert verdicts["C1"] == verdicts["C5"] == "holds"


def test_what_needs_no_numbers_has_one_verdict() -> None:
    (found,) = document([replication("pycrypto-boards-2020")]).papers
    (standard,) = [claim for claim in found.claims if claim.settled is not None]
    assert standard.settled_by == "a standard" and standard.settled is not None
    assert standard.settled.verdict == "does not hold" and "SP 800-38A" in standard.settled.reason
    assert standard.published is standard.replicated is standard.own is None
    (found,) = document([replication("temirbekova-2024")]).papers
    derived = {claim.id for claim in found.claims if claim.derived}
    assert derived == {"C4", "C5", "C6"}


@pytest.mark.parametrize("key", replicable())
def test_documents_follow_their_schema_and_pages_name_every_claim(key: str) -> None:
    found = document([replication(key)])
    jsonschema.validate(as_document(found), schema("replication"))
    page = render(found)
    assert "http" not in page.partition("<main")[0].replace("http-equiv", "")
    for claim in found.papers[0].claims:
        assert f"{claim.id}&ensp;" in page
    assert "nothing is installed" in page


def test_printed_numbers_stand_as_printed_and_near_ones_stay_apart() -> None:
    answer = document([replication("jose-2023")])
    (found,) = answer.papers
    (first,) = [claim for claim in found.claims if claim.id == "C1"]
    assert first.published is not None
    assert "AES-128 129,98 s, RC4 129,91 s" in first.published.reason
    times = {
        cell.printed for table in found.tables if table.metric == "time" for cell in table.cells
    }
    assert {"137,98 s", "129,98 s", "129,91 s"} <= times
    memory = {
        cell.printed for table in found.tables if table.metric == "peak_rss" for cell in table.cells
    }
    assert "2583,16 Kb (read as KiB)" in memory, (
        "a unit that cannot be meant stands as printed, with the one that is"
    )
    page = render(answer)
    assert "137,98 s" in page and "138.0 s" not in page


@pytest.mark.parametrize("key", replicable())
def test_every_comparison_behind_a_verdict_is_in_the_document_and_on_the_page(key: str) -> None:
    answer = document([replication(key)])
    page = render(answer)
    assert answer.papers[0].claims
    for claim in answer.papers[0].claims:
        for judged in (claim.published, claim.replicated):
            if judged is None:
                continue
            kinds = [comparison.verdict for comparison in judged.comparisons]
            assert (
                kinds.count("holds") == judged.agree
                and kinds.count("does not hold") == judged.contradict
            )
            if len(kinds) > 1:
                assert all(escape(comparison.words) in page for comparison in judged.comparisons)


@pytest.mark.parametrize("key", [key for key in replicable() if audit_paper(key).findings])
def test_each_finding_has_its_sentence_and_its_cells(key: str) -> None:
    answer = document([replication(key)])
    page = render(answer)
    assert answer.papers[0].findings == tuple(audit_paper(key).findings)
    for finding in answer.papers[0].findings:
        assert escape(finding.what) in page
        assert escape(finding.quote or "") in page
        assert all(
            escape(cell.cell) in page and escape(cell.printed) in page for cell in finding.cells
        )


def _run(name: str, *, began: str = "2026-11-28T18:05:23+00:00") -> Result:
    """Three values of AES at 4 MB, one of them not quotable, on a machine that was busy."""
    cases = [
        case("aes-128-cbc", "openssl-cli", operation, 4_000_000)
        for operation in ("encrypt", "decrypt")
    ]
    rows = [measurement(cases[0], "time", [1e6] * 11), measurement(cases[1], "time", [1e6] * 7)]
    rows[0]["disturbed"], rows[1]["disturbed"], rows[1]["quotable"] = 5, 1200, False
    whole = sample_document()
    host = {**whole["environment"]["host"], "cpu_model": "Cortex-A53", "load": [3.5, 1.0, 1.0]}
    run = {**whole["run"], "name": name, "started": began, "finished": "2026-11-28T18:08:24+00:00"}
    probes = {
        "host openssl-cli": {"version": "OpenSSL 3.0.19", "compiler": "gcc 12", "flags": "-O2"}
    }
    environment = {"host": host, "probes": probes, "boards": {}}
    return read(
        {
            **whole,
            "run": run,
            "environment": environment,
            "measurements": rows,
            "failures": [],
            "ratios": [],
        }
    )


def test_machine_load_date_versions_and_disturbed_readings_are_in_document_and_page() -> None:
    done = replace(replication("jose-2023"), runs=[_run("r1")], abouts={"r1": "paper (openssl)"})
    answer = document([done])
    jsonschema.validate(as_document(answer), schema("replication"))
    (found,) = answer.papers
    (run,) = found.runs
    assert (run.fewest, run.most, run.sizes) == (7, 11, (4_000_000,))
    assert (run.disturbed, run.unquotable) == (1205, 1)
    page = render(answer)
    for text in (
        "Cortex-A53",
        "load 3.5 when the run began",
        "2026-11-28 18:05 to 2026-11-28 18:08 UTC",
        "openssl-cli: OpenSSL 3.0.19",
        "1,205 readings",
        "1 measurements that are not quoted",
    ):
        assert text in page, text
    (repetitions,) = [line for line in found.method if line.what == "repetitions"]
    assert repetitions.ours.endswith(
        "paper (openssl): 7 to 11 values of each case, 4 MB, 1,205 disturbed readings that do not "
        "count, 1 measurements that are not quoted"
    )
    assert found.cite.startswith("The motebench developers, motebench 0.1.0")
    assert (
        "Preprints 202306.0529.v1" in found.cite
        and "Measured 2026-11-28 on Cortex-A53" in found.cite
    )
    assert "load" not in found.cite and "sizes of inputs: small" in found.cite
    assert escape(found.cite) in page


def test_a_line_joins_no_two_targets() -> None:
    entries = [
        ReplicationAirEntry(
            subject="AES",
            implementation="lib/x",
            target=target,
            size=16,
            sf=sf,
            time_ms=ratio,
            on_air_ms=1.0,
            ratio=ratio,
            evidence="measured",
        )
        for target, ratios in (("host", (0.01, 0.02)), ("sim:x", (10.0, 20.0)))
        for sf, ratio in zip((7, 12), ratios, strict=True)
    ]
    picture = air(entries)
    joined = re.findall(
        r'<line x1="([\d.]+)%" x2="([\d.]+)%" y1="([\d.]+)" y2="\3" stroke="var\(--c0\)"', picture
    )
    assert len(joined) == 2 and len({y for *_, y in joined}) == 2
    assert all(abs(float(end) - float(start)) < 20 for start, end, _ in joined)
    assert "AES, 16 B, host" in picture and "AES, 16 B, sim:x" in picture


@pytest.mark.parametrize("key", replicable())
def test_pictures_of_a_paper_have_names_and_ticks_and_fit_every_width(key: str) -> None:
    pictures = re.findall(
        r'<svg width="100%".*?</svg>', render(document([replication(key)])), re.DOTALL
    )
    assert bool(pictures) == (key not in ("pycrypto-boards-2020", "suryateja-2025")), (
        "which have nothing to draw"
    )
    for picture in pictures:
        head = picture.partition(">")[0]
        assert 'role="img"' in head and "viewBox" not in head
        assert re.search(r'aria-label="[^"]*: [^"]+ \d', head)
        ticks = re.findall(r'text-anchor="middle">([^<]+)<', picture)
        assert 2 <= len(ticks) == len(set(ticks)) <= 7
        places = [float(x) for x in re.findall(r'(?:cx|x1|x2)="([\d.]+)%"', picture)]
        assert min(places) >= 0 and max(places) <= 100


@pytest.mark.parametrize(
    ("low", "high", "first"),
    [(0.9, 1.2, 0.9), (0.05, 8.0, 0.05), (1e-9, 1e9, 1e-9), (1.0, 1.0, 0.9)],
)
def test_an_axis_of_ratios_has_ticks_whatever_its_range(
    low: float, high: float, first: float
) -> None:
    ticks = ChartAxis(low, high).ticks()
    assert 3 <= len(ticks) <= 7
    assert ticks[0] == pytest.approx(first) and ticks == sorted(ticks)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["replicate"], "which paper?"),
        (["replicate", "--all", "jose-2023"], "mutually exclusive"),
        (["replicate", "jose-2032"], "jose-2023"),
        (["replicate", "temirbekova-2024", "--target", "host"], "no part that runs on"),
        (["replicate", "jose-2023", "--rerun", "."], "mutually exclusive"),
        (["replicate", "--rerun", ".", "--scale", "small"], "the bundle has it"),
        (["replicate", "--rerun", "."], "not a bundle of a replication"),
        (["compare", "1"], "two sides"),
        (["compare", "1", "2", "--paper", "jose-2023"], "one run"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_before_anything_is_measured(
    arguments: list[str], words: str
) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code != 0
    assert words in str(done.exception)


def _bundle(path: Path) -> Path:
    done = replication("jose-2023")
    answer = document([done])
    request = BundledRequest(("jose-2023",), ("ssh:pi",), "small", 30.0)
    write_bundle(path, request, answer, render(answer), [done], "none.db", force=False)
    return path


@pytest.mark.parametrize("name", ["x.zip", "x"])
def test_a_bundle_has_the_request_and_the_verdicts_that_it_was_made_with(
    tmp_path: Path, name: str
) -> None:
    bundle = read_bundle(_bundle(tmp_path / name))
    assert bundle.request == BundledRequest(("jose-2023",), ("ssh:pi",), "small", 30.0)
    answer = document([replication("jose-2023")])
    entry = compared(bundle, answer)
    assert entry.same == len(bundle.verdicts) and entry.changed == entry.differing == ()
    first = answer.papers[0].claims[0]
    assert first.published is not None and first.published.verdict == "does not hold"
    changed = replace(
        first, published=replace(first.published, verdict="holds"), own=first.published
    )
    papers = (replace(answer.papers[0], claims=(changed, *answer.papers[0].claims[1:])),)
    entry = compared(bundle, replace(answer, papers=papers))
    assert [(line.claim, line.side, line.before, line.now) for line in entry.changed] == [
        ("C1", "published", "does not hold", "holds"),
        ("C1", "own", None, "does not hold"),
    ]
    page = render(replace(answer, rerun=entry))
    assert "jose-2023 C1, own: no verdict in the bundle, does not hold here" in page


def test_files_of_a_study_that_differ_from_the_catalog_are_named(tmp_path: Path) -> None:
    folder = _bundle(tmp_path / "x")
    claims = folder / "study" / "jose-2023" / "claims.toml"
    claims.write_text(claims.read_text() + "# changed\n")
    with pytest.raises(InputError, match=r"claims.toml is missing, or differs from SHA256SUMS"):
        read_bundle(folder)
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    digest = hashlib.sha256(claims.read_bytes()).hexdigest()
    lines = [
        f"{digest}  study/jose-2023/claims.toml" if "/claims.toml" in line else line
        for line in sums
    ]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    assert read_bundle(folder).differing == ("jose-2023/claims.toml",)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.zip", b"PK no archive", "not a bundle"),
        ("x.json", b"{}", "not a bundle"),
        ("x/request.json", b"[]", "differs from SHA256SUMS"),
        ("x/SHA256SUMS", b"", "'other'"),
    ],
)
def test_what_is_no_bundle_is_refused(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    folder = _bundle(tmp_path / "x")
    if name == "x/SHA256SUMS":
        (folder / "request.json").write_text('{"format": "other", "version": "1", "papers": ["x"]}')
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=words):
        read_bundle(folder if name.startswith("x/") else tmp_path / name)


def test_a_bundle_is_written_over_no_other_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for force in (False, True):
        with pytest.raises(InputError, match="exists"):
            check_bundle(tmp_path, force=force)
    check_bundle(_bundle(tmp_path / "x"), force=True)


def test_a_part_that_stands_for_a_device_is_needless_on_that_device_alone() -> None:
    claims = read_claims("jose-2023")
    parts = {part.name: part for part in claims.part}
    board = "command:ssh:pi"
    assert needless(parts["aes"], claims, {board: "Raspberry Pi 3 Model B Rev 1.2"})
    assert not needless(parts["aes"], claims, {board: "Raspberry Pi 4 Model B Rev 1.4"})
    assert not needless(parts["aes"], claims, {board: ""}), "what a board is, only the board says"
    assert not needless(parts["paper"], claims, {board: "Raspberry Pi 3 Model B Rev 1.2"}), (
        "it stands for none"
    )


def test_a_board_behind_ssh_takes_whole_processes_too() -> None:
    parts = {part.name: part for part in read_claims("jose-2023").part}
    check_targets(parts.values(), ["ssh:pi"])
    assert targets_for(parts["paper"], ["ssh:pi"]) == ("command:ssh:pi",)
    assert targets_for(parts["own"], ["ssh:pi"]) == ("ssh:pi",)
    assert targets_for(parts["paper"], ["host"]) == ("command",)


@pytest.mark.parametrize(
    ("flags", "used"), [(["aes", "neon"], {"aes"}), (["neon"], set()), (None, {"aes"})]
)
def test_a_board_behind_ssh_says_what_it_is_and_which_instructions_it_has(
    flags: list[str] | None, used: set[str]
) -> None:
    whole = _run("r1")
    host = {
        "architecture": "aarch64",
        "board": "Raspberry Pi 3 Model B Rev 1.2",
        "cpu_flags": flags,
    }
    environment = {
        **whole.environment,
        "machines": {"ssh:pi": {"host": host, "machine": "aarch64"}},
    }
    rows = tuple(replace(row, target="ssh:pi") for row in whole.measurements)
    claims = read_claims("jose-2023")
    (cell,) = own_cells(replace(whole, environment=environment, measurements=rows), claims.subject)
    assert cell.model == "Raspberry Pi 3 Model B Rev 1.2" and cell.uses == used
    assert any(
        device.name == "Raspberry Pi 3" and device.is_it(cell.device, cell.model)
        for device in claims.device
    )
