"""The linter finds planted errors and names file, line and key."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from motebench.base.errors import InputError, SetupError
from motebench.base.paths import catalog_dir
from motebench.catalog import __main__ as program
from motebench.catalog.__main__ import lint
from motebench.catalog.lookup import derive_schemes, read_algorithms


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """A catalog of two files to break."""
    (tmp_path / "algorithms").mkdir()
    for name in ("aes.toml", "rsa.toml"):
        shutil.copy(catalog_dir() / "algorithms" / name, tmp_path / "algorithms" / name)
    shutil.copytree(catalog_dir() / "policies", tmp_path / "policies")
    return tmp_path


def _break(catalog: Path, old: str, new: str, name: str = "aes.toml") -> list[str]:
    path = catalog / "algorithms" / name
    text = path.read_text()
    assert text.count(old) >= 1, old
    path.write_text(text.replace(old, new, 1))
    return lint(catalog)


def _line(catalog: Path, text: str, name: str = "aes.toml") -> int:
    lines = (catalog / "algorithms" / name).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_untouched_files_are_in_order(catalog: Path) -> None:
    assert lint(catalog) == []


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ('id = "aes"', 'id = "aesx"', "id", "but the file is aes.toml"),
        ("year = 1998", "yaer = 1998", "yaer", "did you mean 'year'?"),
        ("year = 1998", 'year = "1998"', "year", "a valid integer"),
        ('kind = "block-cipher"', 'kind = "block"', "kind", "block-cipher, stream-cipher"),
        ('structure = "SPN"', 'structure = "Spam"', "structure", "Feistel network"),
        ("block_bits = 128", "block_bits = true", "block_bits", "true is not a possible value"),
        ("block_bits = 128", "block_bits = 0", "block_bits", "greater than 0"),
        ("date = 2001-11-26", 'date = "26.11.2001"', "status[0].date", "is not a date"),
        ("date = 2001-11-26", 'date = "2001-13"', "status[0].date", "not a day of the calendar"),
        ("date = 2001-11-26", "date = 2001-11-26T10:00:00", "status[0].date", "without a time"),
        (
            "date = 2001-11-26",
            "date = 1990-11-26",
            "status[0].date",
            "before the year of the algorithm",
        ),
        (
            'verdict = "approved"',
            'verdict = "aproved"',
            "status[0].verdict",
            "did you mean 'approved'?",
        ),
        (
            'url = "https://doi.org/10.6028/NIST.SP.800-57pt1r5"',
            'url = "http://doi.org/x"',
            "security.source.url",
            "pattern",
        ),
        (
            "key_bits = [128, 192, 256]\nrounds",
            "key_bits = [128, 192]\nrounds",
            "schemes[0].key_bits",
            "256 is not among",
        ),
        ("256 = 14", "512 = 14", "rounds.512", "selects no scheme"),
        ("256 = 14", '256 = 14, "aes-256-*" = 14', "rounds.aes-256-*", "selected by both"),
        ('"ctr", "gcm"', '"ctr", "ctr", "gcm"', "schemes[0].modes", "listed twice"),
        ('"ctr", "gcm"', '"ctr", "gmc"', "schemes[0]", "'gmc' in"),
        (
            'name = "aes-{key_bits}-{mode}"',
            'name = "aes-{keybits}-{mode}"',
            "schemes[0]",
            "is not one of key_bits",
        ),
        (
            'name = "aes-{key_bits}-{mode}"',
            'name = "aes-{size}-{mode}"',
            "schemes[0]",
            "has no value",
        ),
        (
            'name = "aes-{key_bits}-{mode}"',
            'name = "aes-{key_bits-{mode}"',
            "schemes[0]",
            "in field name",
        ),
        ('name = "aes-{key_bits}-{mode}"', 'name = "aes-{mode}"', "schemes", "already a name"),
        (
            '"aes{key_bits}-{mode}" = "aes-{key_bits}-{mode}"',
            '"aes{key_bits}-{mode}" = "eas-{key_bits}-{mode}"',
            "aliases.aes{key_bits}-{mode}",
            "no scheme of AES is called",
        ),
        (
            '"aes{key_bits}-{mode}" = "aes-{key_bits}-{mode}"',
            '"AES{key_bits}-{mode}" = "aes-{key_bits}-{mode}"',
            "aliases.AES{key_bits}-{mode}",
            "lower case",
        ),
        (
            '"aes{key_bits}-{mode}" = "aes-{key_bits}-{mode}"',
            '"aes{bits}-{mode}" = "aes-{key_bits}-{mode}"',
            "aliases.aes{bits}-{mode}",
            "is not one of key_bits",
        ),
        (
            '"aes{key_bits}-{mode}" = "aes-{key_bits}-{mode}"',
            '"rsa-2048-pss-sha256" = "aes-128-cbc"',
            "schemes",
            "already a name",
        ),
    ],
)
def test_planted_errors_are_found(
    catalog: Path, old: str, new: str, key: str, message: str
) -> None:
    findings = _break(catalog, old, new)
    assert findings
    hits = [finding for finding in findings if f": {key}: " in finding and message in finding]
    assert hits, findings


def test_findings_name_the_line(catalog: Path) -> None:
    findings = _break(catalog, 'verdict = "approved"', 'verdict = "aproved"')
    line = _line(catalog, "aproved")
    assert findings[0].startswith(
        f"{catalog}/algorithms/aes.toml:{line}: status[0].verdict: 'aproved'"
    )


def test_missing_source_of_a_status(catalog: Path) -> None:
    path = catalog / "algorithms" / "aes.toml"
    text = path.read_text()
    start = text.index("[[status]]")
    path.write_text(text[:start] + text[start:].replace("source = ", "# source = ", 1))
    line = _line(catalog, "[[status]]")
    assert lint(catalog) == [f"{path}:{line}: status[0].source: the key 'source' is missing"]


def test_strengths_need_a_source(catalog: Path) -> None:
    path = catalog / "algorithms" / "aes.toml"
    text = path.read_text()
    start = text.index("[security]")
    path.write_text(text[:start] + text[start:].replace("source = ", "# source = ", 1))
    [finding] = lint(catalog)
    assert "security: strengths are given without their source" in finding


def test_statuses_are_sorted(catalog: Path) -> None:
    [finding] = _break(catalog, "date = 2023-02-03", "date = 2013-02-03", "rsa.toml")
    assert "status[2].date: 2013-02-03 stands after 2014-01-01" in finding


def test_a_status_on_schemes_that_do_not_exist(catalog: Path) -> None:
    [finding] = _break(catalog, 'schemes = "1024"', 'schemes = "1025"', "rsa.toml")
    assert "status[0].schemes: '1025' selects no scheme of RSA" in finding


def test_syntax_errors_do_not_hide_other_files(catalog: Path) -> None:
    (catalog / "algorithms" / "bad.toml").write_text("id = \n")
    findings = _break(catalog, 'id = "aes"', 'id = "aesx"')
    assert any("bad.toml:1:" in finding for finding in findings)
    assert any("aes.toml" in finding for finding in findings)


@pytest.mark.parametrize(
    ("name", "old", "new", "key"),
    [
        ("choice.toml", "below_bits = 112", "below_bit = 112", "weak.below_bit: unknown key"),
        ("choice.toml", "share = 0.01", "share = 1.5", "indifference.share: "),
        ("choice.toml", 'id = "nist"', 'id = ""', "policies[1].id: "),
        ("constant-time.toml", "statement = ", "statment = ", "claims[0].statment: unknown key"),
        ("profiles.toml", "tag_bytes = ", "tag_bytes = -", "profiles[0].tag_bytes: "),
        ("bodies/bsi.toml", "title = ", "titel = ", "titel: unknown key"),
    ],
)
def test_mistakes_in_policies_have_file_line_and_key(
    catalog: Path, name: str, old: str, new: str, key: str
) -> None:
    path = catalog / "policies" / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    line = text[: text.index(old)].count("\n") + 1
    assert any(finding.startswith(f"{path}:{line}: {key}") for finding in lint(catalog)), lint(
        catalog
    )
    path.write_text("= 1")
    assert any(finding.startswith(f"{path}:1:") for finding in lint(catalog))
    path.unlink()
    assert all(str(path) in finding for finding in lint(catalog))


def test_policy_and_empty_folder(tmp_path: Path, catalog: Path) -> None:
    (catalog / "policies" / "data-limits.toml").write_text("limits = [{ block_bits = 64 }]\n")
    assert any("limits[0].statement" in finding for finding in lint(catalog))
    (tmp_path / "none").mkdir()
    findings = lint(tmp_path / "none")
    assert any("no algorithm files" in finding for finding in findings)
    assert any("data-limits.toml" in finding for finding in findings)
    with pytest.raises(SetupError):
        read_algorithms(tmp_path / "none")


def test_reading_a_broken_catalog_is_an_input_error(catalog: Path) -> None:
    path = catalog / "algorithms" / "aes.toml"
    good = path.read_text()
    path.write_text(good.replace("year = 1998", "yaer = 1998"))
    with pytest.raises(InputError) as caught:
        read_algorithms(catalog / "algorithms")
    assert str(caught.value.where).startswith(str(path))
    path.write_text(good.replace('"ctr", "gcm"', '"ctr", "gmc"'))
    with pytest.raises(InputError, match="gmc"):
        derive_schemes(read_algorithms(catalog / "algorithms"))
    path.write_text(good.replace('name = "aes-{key_bits}-{mode}"', 'name = "aes-{mode}"'))
    with pytest.raises(InputError, match="defined twice"):
        derive_schemes(read_algorithms(catalog / "algorithms"))


def test_the_program_says_so_and_exits_accordingly(
    catalog: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.main([str(catalog)]) == 0
    assert capsys.readouterr().out == "2 algorithm files are in order\n"
    _break(catalog, 'id = "aes"', 'id = "aesx"')
    assert program.main([str(catalog)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "1 finding" in captured.err


def test_the_module_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "motebench.catalog"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
