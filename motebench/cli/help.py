"""The commands as `motebench --help` shows them: in groups, each with a sentence and examples. No command is loaded."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """A command: what it does, in a few words, and calls that work as they stand."""

    summary: str
    examples: tuple[str, ...]


GROUPS: dict[str, dict[str, CommandHelp]] = {
    "Measure": {
        "run": CommandHelp(
            "Measure: a study, or what the options describe",
            (
                "motebench run quickstart --report report.html",
                "motebench run --scheme aes-128-gcm --implementation openssl,nettle",
                "motebench run --scheme aes-128-ecb --target sim:atmega2560",
            ),
        ),
        "verify": CommandHelp(
            "Check implementations with known answers",
            ("motebench verify --implementation openssl --scheme 'aes-*'",),
        ),
        "leak": CommandHelp(
            "Test whether the time depends on a secret",
            ("motebench leak --target sim:samd21g18a --implementation mote/aes-small",),
        ),
        "signing": CommandHelp(
            "Measure what signing costs over many messages",
            ("motebench signing --target sim:samd21g18a --scheme ml-dsa-44",),
        ),
        "meter": CommandHelp(
            "Measure energy with an instrument",
            ("motebench meter --instrument rapl --implementation openssl --scheme aes-128-gcm",),
        ),
    },
    "Look": {
        "show": CommandHelp("Show a stored run as tables", ("motebench show", "motebench show 3 --details")),
        "compare": CommandHelp(
            "Compare two runs or two implementations",
            ("motebench compare openssl nettle", "motebench compare 1 2 --metric time --metric peak_rss_net"),
        ),
        "report": CommandHelp("Write a stored run as one HTML file", ("motebench report latest --output report.html",)),
        "export": CommandHelp(
            "Write a stored run as CSV, JSON, LaTeX, ...", ("motebench export --format csv -o run.csv",)
        ),
        "list": CommandHelp(
            "List schemes, implementations, targets, runs, ...",
            (
                "motebench list targets",
                "motebench list schemes 'aes-128-*'",
                "motebench list runs --store motebench.db",
            ),
        ),
        "describe": CommandHelp(
            "Show all that is known of one thing, by its name",
            ("motebench describe samd21g18a", "motebench describe aes-128-gcm", "motebench describe sim:atmega2560"),
        ),
    },
    "Publications": {
        "replicate": CommandHelp(
            "Measure a published study again, and check its claims",
            ("motebench replicate temirbekova-2024 -o page.html", "motebench replicate --all --scale small --resume"),
        ),
        "audit": CommandHelp(
            "Check published tables without measuring",
            ("motebench audit temirbekova-2024", "motebench audit table.csv --fail-on material"),
        ),
    },
    "Decide": {
        "choose": CommandHelp(
            "Choose a cipher for a device and its messages",
            (
                "motebench choose --device samd21g18a --message 24B",
                "motebench choose --device samd21g18a --message 24B --lorawan EU868 --dr 5 --every 10min",
            ),
        ),
        "energy": CommandHelp(
            "Model the energy of an operation", ("motebench energy --device samd21g18a --cycles 50000",)
        ),
        "airtime": CommandHelp(
            "Compute the time on air of LoRa packets",
            (
                "motebench airtime --sf 12 --bw 125kHz --payload 51B",
                "motebench airtime --lorawan EU868 --dr 0 --app-payload 51B",
            ),
        ),
        "battery": CommandHelp(
            "Model the life of a battery",
            ("motebench battery --battery cr2032 --every 10min --device samd21g18a --cycles 50000",),
        ),
        "protocol": CommandHelp(
            "Model what security protocols send, compute and cost",
            (
                "motebench protocol edhoc-suite2-static-dh --fields",
                "motebench protocol edhoc-suite0,dtls13-raw-keys --device samd21g18a --lorawan EU868 --dr 3",
            ),
        ),
    },
    "Boards": {
        "flash": CommandHelp(
            "Upload the firmware of a scheme to a board",
            ("motebench flash --target serial:/dev/ttyACM0 --implementation mote/aes-small --scheme aes-128-ecb",),
        ),
        "firmware": CommandHelp(
            "Write the firmware of a scheme to a file",
            (
                "motebench firmware --target sim:atmega2560 --implementation mote/aes-small "
                "--scheme aes-128-ecb -o aes.hex",
            ),
        ),
        "fleet": CommandHelp("Describe a lab's boards, and see which answer", ("motebench fleet boards fleet.toml",)),
        "reference": CommandHelp(
            "Show, check or update results of simulated boards",
            ("motebench reference show --target sim:samd21g18a --scheme aes-128-ccm",),
        ),
    },
    "Set up": {
        "doctor": CommandHelp("Show what is installed and what is missing", ("motebench doctor",)),
        "instruments": CommandHelp("List instruments that measure energy", ("motebench instruments",)),
        "completion": CommandHelp(
            "Print the script that completes words in your shell",
            ('eval "$(motebench completion bash)"', "motebench completion fish | source"),
        ),
    },
}
"""Every command once, in the order of work."""

ENTRIES: dict[str, CommandHelp] = {name: entry for group in GROUPS.values() for name, entry in group.items()}

EXIT_CODES = (
    "Data goes to standard output, everything else to standard error. Exit codes: 0 done, 1 a defect in motebench, "
    "2 bad input, 3 done but some cases failed, 4 slower than allowed, 5 not comparable, 6 the store cannot be used, "
    "7 something must be installed, 8 a leak was found, 9 nothing to choose, 130 interrupted."
)


def examples(name: str) -> str:
    """The examples of a command as the end of its help. ``\\b`` keeps click from joining the lines."""
    entry = ENTRIES.get(name)
    return "" if entry is None else "\n".join(["\b", "Examples:", *(f"  {_folded(line)}" for line in entry.examples)])


def _folded(line: str, width: int = 76) -> str:
    """A call that is too long for a terminal goes on in the next line, as a shell reads it."""
    lines, rest = [], line
    while len(rest) > width:
        at = rest.rfind(" --", 0, width)
        if at <= 0:
            break
        lines.append(f"{rest[:at]} \\")
        rest = f"    {rest[at + 1 :]}"
    return "\n  ".join([*lines, rest])
