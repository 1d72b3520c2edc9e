"""A run in short: sentences claim what the data show, and say what is wide, disturbed, failed."""

import random
import re
import runpy
from pathlib import Path

import pytest
from result_documents import read

from motebench.cli.text.brief import BriefReader, brief

SAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "support" / "report_sample.py"))
case, document, measurement = SAMPLE["case"], SAMPLE["document"], SAMPLE["measurement"]


def timed(scheme, who, size, centre, spread=0.005, n=20, operation="encrypt", **changes):
    rng = random.Random(f"{scheme}{who}{size}")
    values = [centre * (1 + rng.uniform(-spread, spread)) for _ in range(n)]
    return {**measurement(case(scheme, who, operation, size), "time", values), **changes}


def said(*entries, failures=(), precision=0.03):
    made = document(list(entries))
    made["run"]["settings"] = {"policy": {"precision": precision}}
    made["failures"] = list(failures)
    return "\n".join(brief(read(made), "motebench"))


def test_one_winner_everywhere_is_one_clause_with_its_ratios():
    text = said(
        timed("a", "x", 16, 100, spread=0),
        timed("a", "y", 16, 150, spread=0),
        timed("a", "x", 1024, 100, spread=0),
        timed("a", "y", 1024, 300, spread=0),
    )
    assert "a, encrypt: at every size x, 1.5 to 3 times as fast as y." in text


def test_winners_that_change_with_size_are_told_by_size():
    text = said(
        timed("a", "x", 16, 100, spread=0),
        timed("a", "y", 16, 200, spread=0),
        timed("a", "x", 1024, 400, spread=0),
        timed("a", "y", 1024, 100, spread=0),
    )
    assert "at 16 B x, 2 times as fast as y; at 1 KiB y, 4 times as fast as x." in text


def test_what_cannot_be_told_apart_is_said_with_who_is_behind():
    text = said(timed("a", "x", 16, 100), timed("a", "y", 16, 100.01), timed("a", "z", 16, 200))
    assert re.search(
        r"a, encrypt: x and y are not distinguishable, 2.00\d* times \(.* to .*\) as fast as z\.",
        text,
    )


def test_too_few_samples_are_no_tie():
    few = [timed("a", who, 16, centre, n=7) for who, centre in (("x", 100), ("y", 101))]
    assert "a, encrypt: too few samples to rank x and y." in said(*few)


def test_a_gross_difference_is_found_by_few_samples():
    few = [timed("a", who, 16, centre, n=7) for who, centre in (("x", 100), ("y", 200))]
    assert "a, encrypt: x, 2.00 times (1.99 to 2.01) as fast as y." in said(*few)


def test_samples_that_depend_on_each_other_show_no_small_difference():
    rising = [100 * 1.01**place for place in range(12)]
    steady = [115 + place % 2 for place in range(12)]
    entries = [
        measurement(case("a", who, "encrypt", 16), "time", values)
        for who, values in (("x", rising), ("y", steady))
    ]
    entries.append(timed("a", "z", 16, 400))
    assert "a, encrypt: x and y are not distinguishable, 3." in said(*entries)


def test_none_is_called_the_fastest_while_one_is_not_ranked():
    text = said(
        timed("a", "x", 16, 100), timed("a", "y", 16, 200), timed("a", "z", 16, 50, quotable=False)
    )
    assert "a, encrypt: none is named, because z is not ranked." in text
    assert "as fast as" not in text and "x is first" not in text


def processor_time(who, centre, spread=0.0):
    return {**timed("a", who, 16, centre, spread=spread), "metric": "cpu_time"}


def test_processor_times_rank_disturbed_implementations_and_say_so():
    times = [
        timed("a", "x", 16, 100),
        timed("a", "y", 16, 200),
        timed("a", "z", 16, 50, quotable=False),
    ]
    text = " ".join(said(*times, *map(processor_time, "xyz", (100, 200, 50))).split())
    assert (
        "none is named, because z is not ranked; by processor time z takes the least, 0.5 times "
        "that of x."
    ) in text
    two = [timed("a", "x", 16, 100), timed("a", "z", 16, 50, quotable=False)]
    text = " ".join(said(*two, *map(processor_time, "xz", (100, 50))).split())
    assert (
        "none is named, because z is not ranked; by processor time z takes the least, 0.5 times "
        "that of x."
    ) in text
    # Without the processor time of each of them nothing is ranked.
    text = said(*times, *map(processor_time, "xy", (100, 200)))
    assert "by processor time" not in text


def test_no_scheme_is_called_the_fastest_while_another_is_disturbed():
    entries = [
        timed("aes-128-cbc", "x", 16, 100, spread=0),
        timed("aes-256-cbc", "y", 16, 150, spread=0),
        timed("camellia-128-cbc", "x", 16, 50, quotable=False),
    ]
    text = " ".join(said(*entries).split())
    assert "cipher, encrypt: none is named, because camellia-128-cbc (x) is not ranked." in text
    assert "aes-128-cbc (x), 1.5 times" not in text


def test_no_figure_of_a_table_is_marked_as_the_best_while_one_is_disturbed():
    entries = [timed("a", "x", 16, 100, spread=0), timed("a", "y", 16, 200, spread=0)]
    lost = timed("a", "z", 16, 50, quotable=False)
    painted = lines(*entries, lost, paint=lambda text, style: f"<{style}>{text}</{style}>")
    assert not any("<good>" in line for line in painted)
    assert (
        "x best: the best of those that are not disturbed; a disturbed one may be better" in painted
    )


def test_schemes_are_not_raced_against_each_other():
    assert "Fastest" not in said(timed("a", "x", 16, 100), timed("b", "y", 16, 200))


def test_cases_that_are_wider_than_asked_are_counted_and_the_widest_named():
    text = said(timed("a", "x", 16, 100), timed("a", "y", 16, 200, spread=0.4))
    assert "1 of 2 cases are as precise as was asked: their median is known to ±3 %." in text
    assert "1 would need more time for that; the widest: a y 16 B, ±" in text


def test_a_case_that_more_samples_do_not_help_is_not_told_to_need_time():
    note = (
        "more samples no longer narrowed the interval because of slow phases of the machine (±4 "
        "% with 48)"
    )
    text = said(
        timed("a", "x", 16, 100, spread=0.4, notes=[note]), timed("a", "y", 16, 200, spread=0.2)
    )
    assert "1 would need more time for that; the widest: a y 16 B, ±" in text
    ends = "1 ended where more samples no longer narrowed the interval; the widest: a x 16 B, ±"
    assert ends in " ".join(text.split()) and "A quieter machine would help." in " ".join(
        text.split()
    )


def test_a_disturbed_case_is_not_raced_and_not_counted_as_precise():
    text = said(timed("a", "x", 16, 100, quotable=False), timed("a", "y", 16, 200))
    assert "Fastest" not in text
    assert (
        "1 of 2 cases" in text
        and "1 were disturbed too often, do not quote them: a x 16 B." in text
    )
    assert "~100 ns (disturbed)" in text


def test_failures_are_told():
    failure = {**case("a", "x", "encrypt", 16), "kind": "crash", "message": "signal 11"}
    assert "Failed: a x encrypt: crash: signal 11" in said(
        timed("a", "y", 16, 100), failures=[failure]
    )
    assert "No case failed." in said(timed("a", "y", 16, 100))
    assert "No case gave a number." in said()


def test_the_table_has_a_column_for_each_size_and_a_line_for_each_implementation():
    text = said(
        timed("a", "x", 16, 100),
        timed("a", "x", 1024, 100),
        timed("a", "y", 16, 100),
        timed("b", "x", 0, 5),
    )
    lines = text.splitlines()
    head = next(line for line in lines if line.startswith("scheme") and "KiB" in line)
    assert head.split() == ["scheme", "operation", "by", "16", "B", "1", "KiB"]
    assert next(line for line in lines if line.startswith("a ") and " y " in line).endswith("n/a")


@pytest.mark.parametrize("names", [("x",), ("x", "y")])
def test_three_commands_come_last(names):
    text = said(*(timed("a", name, 16, 100) for name in names))
    assert (
        sum(line.startswith("  motebench ") for line in text.partition("Next:")[2].splitlines())
        == 3
    )


def test_a_run_without_a_number_leads_to_what_is_missing():
    steps = said().partition("Next:")[2]
    assert "motebench doctor" in steps and "every failure" in steps and "every number" not in steps


@pytest.mark.parametrize(
    ("scheme", "operation", "size", "target", "next_step"),
    [
        (
            "aes-128-gcm",
            "encrypt-message",
            64,
            "sim:nrf52840",
            "choose --device nrf52840 --need aead --message 64",
        ),
        (
            "ed25519",
            "sign",
            64,
            "sim:nrf52840",
            "choose --device nrf52840 --need signature --message 64",
        ),
        ("x25519", "agree", 0, "sim:samd21g18a+w1", "choose --device samd21g18a --need agreement"),
        ("ed25519", "sign", 64, "host", "list targets"),
        ("own-scheme", "digest", 64, "sim:nrf52840", "list targets"),
    ],
)
def test_the_last_command_fits_what_was_run(scheme, operation, size, target, next_step):
    entry = timed(scheme, "x", size, 100, operation=operation, target=target)
    assert said(entry).partition("Next:")[2].splitlines()[-2].strip() == f"motebench {next_step}"


@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("sim:atmega4809", "choose --device atmega4809 "),
        ("sim:samd21g18a+no-cache", "choose --device samd21g18a "),
        ("sim:nrf52840+board=rak4631", "choose --device nrf52840 "),
        ("sim:cortex-m4-nows", "list targets"),  # whose current is not known
        ("sim:cortex-m0-nows", "list targets"),  # which has no results
        ("host", "list targets"),
    ],
)
def test_a_choice_is_offered_for_a_device_with_results(target, command):
    entry = timed("aes-128-gcm", "x", 16, 100, operation="encrypt-message", target=target)
    assert f"motebench {command}" in said(entry)


def lines(*entries, **reader):
    made = document(list(entries))
    made["run"]["settings"] = {"policy": {"precision": 0.03}}
    return list(brief(read(made), BriefReader(**reader)))


def test_schemes_of_one_kind_are_ranked_without_those_that_are_broken():
    text = said(
        timed("aes-128-cbc", "x", 16, 100, spread=0),
        timed("aes-256-cbc", "y", 16, 150, spread=0),
        timed("aes-128-ecb", "x", 16, 50, spread=0),
        timed("des-cbc", "x", 16, 10, spread=0),
    )
    assert (
        "cipher, encrypt: aes-128-cbc (x), 1.5 times as fast as aes-256-cbc (y); not ranked: "
        in text
    )
    flat = " ".join(text.split())
    assert "aes-128-ecb (equal blocks show)" in flat and "des-cbc (withdrawn)" in flat


def test_many_schemes_are_counted_and_not_all_told():
    entries = [
        timed(f"s{n}", who, 16, centre, spread=0)
        for n in range(30)
        for who, centre in (("x", 100), ("y", 200))
    ]
    text = "\n".join(lines(*entries, options="--store a.db"))
    assert "Of 30 comparisons: x in 30." in text
    assert "... and 18 more: motebench show --store a.db" in text
    assert len([line for line in text.splitlines() if line.startswith("s")]) <= 41


def test_the_best_come_first_and_the_slower_ones_are_counted():
    found = lines(*(timed("a", f"w{n}", 16, 100 + 10 * n, spread=0) for n in range(9)))
    table = [line for line in found if line.startswith("a ")]
    assert [line.split()[2] for line in table] == [f"w{n}" for n in range(6)]
    assert [line.split()[-1] for line in table][:2] == ["1.00", "1.10"]
    assert "... and 3 slower or further ones: motebench show" in found


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_tables_and_sentences_fit_the_width(width):
    sizes = (16, 64, 256, 1024, 8192, 16384)
    found = lines(
        *(
            timed("aes-128-cbc", who, size, size, spread=0.2)
            for who in ("x", "openssl")
            for size in sizes
        ),
        width=width,
    )
    assert max(map(len, found[: found.index("Next:")])) <= width


def test_one_failure_of_many_cases_is_one_line():
    reason = {"kind": "too-big", "message": "1398 B of RAM are missing"}
    failures = [{**case("a", "x", name, 16), **reason} for name in ("encrypt", "decrypt")]
    text = said(timed("a", "y", 16, 100), failures=failures)
    assert "Failed: a x, 2 cases: too-big: 1398 B of RAM are missing" in text


def test_exact_results_have_no_spread():
    board = {"evidence": "simulated", "ci_low": 100.0, "ci_high": 100.0, "target": "sim:b"}
    text = said(
        timed("a", "x", 16, 100, spread=0, **board), timed("a", "y", 16, 100, spread=0, **board)
    )
    assert "2 of 2 cases are exact: the simulator gave equal readings." in text
    assert "±" not in text and "Time on sim:b, simulated, exact" in text


def test_memory_of_a_board_stands_beside_its_times():
    board = {"evidence": "simulated", "target": "sim:b"}
    flash = {**measurement(case("a", "x", "encrypt", 16), "flash_net", [2276.0, 2276.0]), **board}
    found = lines(timed("a", "x", 16, 100, **board), flash)
    assert any("flash added" in line for line in found)
    assert next(line for line in found if line.startswith("a ")).endswith("2.22 KiB")


def test_measured_energy_is_ranked_by_its_own():
    entries = [timed("a", who, 16, 100) for who in ("x", "y")]
    for who, joules in (("x", 1e-6), ("y", 4e-6)):
        entries.append({**measurement(case("a", who, "encrypt", 16), "energy", [joules] * 12)})
    text = said(*entries)
    assert "Least energy of one operation, measured:" in text
    assert "a, encrypt: x, 0.25 times the energy of y." in text
    assert "Energy on host, measured" in text


def test_an_older_run_is_named_in_the_commands_to_try():
    found = lines(timed("a", "x", 16, 100), timed("a", "y", 16, 200), run="3")
    assert "  motebench show 3" in found and "  motebench compare x y --run 3" in found


def test_an_interrupted_run_says_what_is_missing():
    made = document([timed("a", "x", 16, 100)])
    made["run"] |= {"cases": {"finished": 1, "failed": 0, "pending": 5}, "status": "interrupted"}
    assert "5 cases are not finished: the run was interrupted." in list(brief(read(made)))


def test_colour_is_only_where_it_is_asked_for():
    entries = [timed("a", "x", 16, 100, spread=0), timed("a", "y", 16, 200, spread=0)]
    painted = lines(*entries, paint=lambda text, style: f"<{style}>{text}</{style}>")
    assert "<title>Next:</title>" in painted
    (best,) = [line for line in painted if "<good>" in line]
    assert best.startswith("a ") and " x " in best


def test_nothing_to_rank_says_so():
    text = said(*(timed("a", who, 16, 100, n=3) for who in ("x", "y")))
    assert "Nothing can be ranked: too few undisturbed samples." in text and "x best" not in text
    assert "Nothing can be ranked" not in said(timed("a", "x", 16, 100, n=3))


def test_a_whole_file_is_named_once_and_its_plain_copy_told():
    of_file = {"file": "generated", "input_bytes": 10**6}
    entries = [
        {**timed("a", who, 10**6, 100, operation="encrypt-file"), **of_file} for who in ("x", "y")
    ]
    entries.append({**timed("copy", "copy", 10**6, 50, operation="copy-file"), **of_file})
    text = said(*entries)
    assert "A plain copy of generated, 1 MB, takes 50.0 ns" in text
    assert "generated, generated" not in text and "encrypt-file, generated" in text


def test_the_two_fastest_are_those_to_compare():
    found = lines(
        timed("a", "slow", 16, 300), timed("a", "good", 16, 120), timed("a", "best", 16, 100)
    )
    assert "  motebench compare best good" in found


def without_pairs(*entries):
    """Each entry with rounds of its own, as on a busy machine that disturbed the other one's."""
    return [
        {**entry, "rounds": [place * len(entry["rounds"]) + number for number in entry["rounds"]]}
        for place, entry in enumerate(entries)
    ]


def test_without_common_rounds_nothing_is_ranked():
    text = said(*without_pairs(timed("a", "x", 16, 100), timed("a", "y", 16, 200)))
    assert "too few samples to rank x and y" in text and "times" not in text.partition("Next:")[0]


def test_dependent_ratios_show_only_large_differences():
    rising = measurement(
        case("a", "x", "encrypt", 16), "time", [100 * 1.01**place for place in range(12)]
    )
    for steady, expected in ((115, "x and y are not distinguishable"), (400, "x, 3.8 times (")):
        other = measurement(
            case("a", "y", "encrypt", 16), "time", [steady + place % 2 for place in range(12)]
        )
        assert expected in said(rising, other)


def test_a_hybrid_is_not_ranked_with_the_kem_inside():
    """It does the work of X25519, too. Its structure in the catalog is a composition."""
    times = {"ml-kem-512": 40, "ml-kem-768": 50, "x25519mlkem768": 150, "x-wing": 100}
    text = said(
        *(timed(name, "x", 0, time, operation="encapsulate") for name, time in times.items())
    )
    lines = " ".join(text.split())
    assert re.search(
        r"kem, encapsulate: ml-kem-512 \(x\), 1.25\d* times \(.*\) as fast as ml-kem-768 \(x\)",
        lines,
    )
    assert (
        "hybrid kem, encapsulate: x-wing (x), 1.5" in lines
        and "as fast as x25519mlkem768 (x)" in lines
    )
    assert "than x-wing" not in lines and "as fast as x-wing" not in lines


def test_what_intervals_leave_out_is_said_in_one_line():
    quiet = " ".join(said(timed("a", "x", 16, 100)).split())
    assert (
        "about the minutes of this run: warm caches, one key, one compiler." in quiet
        and "--runs 5" not in quiet
    )
    hidden = (
        "They hold for 95 % if readings are independent, for 44 % or more if they depend on each "
        "other in ways that 12"
    )
    assert hidden not in quiet, "nothing is said of it in an old document"
    known = {**timed("a", "x", 16, 100), "confidence_dependent": 0.44, "n": 12}
    assert hidden in " ".join(said(known).split())
    disturbed = " ".join(said({**timed("a", "x", 16, 100), "disturbed": 2}).split())
    assert "This machine was not quiet: run --runs 5 shows how far runs differ." in disturbed
    assert "warm caches" not in said(
        {**timed("a", "x", 16, 100), "evidence": "simulated", "target": "sim:b"}
    )
