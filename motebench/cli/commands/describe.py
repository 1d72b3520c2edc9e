"""``motebench describe``: all known facts of one thing, with their sources."""

from __future__ import annotations

from pathlib import Path

import click

from motebench.cli.options import catalog_option, json_option, print_json

KINDS = (
    "scheme",
    "algorithm",
    "implementation",
    "target",
    "device",
    "radio",
    "region",
    "battery",
    "element",
    "converter",
    "protocol",
    "study",
    "paper",
)


@click.command("describe")
@click.argument("arguments", nargs=-1, required=True, metavar="[KIND] NAME")
@catalog_option
@json_option
def command(arguments: tuple[str, ...], own: Path | None, as_json: bool) -> None:
    """Describe one thing by its name, with sources where the catalog has them.

    KIND is scheme, algorithm, implementation, target, device, radio, region, battery, element,
    converter, protocol, study or paper. It is needed only where things of several kinds have that
    name.
    """
    from motebench.cli.text.catalog import show_entry, show_facts
    from motebench.show.listing.described import describe

    kind, name = _kind_and_name(arguments)
    described = describe(kind, name, own)
    if as_json:
        print_json(
            described
            if isinstance(described, dict)
            else described.model_dump(mode="json", exclude_none=True)
        )
    elif isinstance(described, dict):
        show_facts(described)
    else:
        show_entry(described)


def _kind_and_name(arguments: tuple[str, ...]) -> tuple[str | None, str]:
    from motebench.base.errors import InputError
    from motebench.base.naming import did_you_mean

    if len(arguments) == 1 and arguments[0] not in KINDS:
        return None, arguments[0]
    kind = arguments[0]
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS) or f"for example: motebench describe {arguments[1]}"
        raise InputError(
            f"{kind!r} is not a kind of thing", where="KIND", valid=", ".join(KINDS), hint=hint
        )
    if len(arguments) != 2:
        problem = (
            "the NAME is missing"
            if len(arguments) == 1
            else f"too many words: {' '.join(arguments[2:])}"
        )
        raise InputError(
            problem,
            valid=f"describe {kind} NAME",
            hint=f"for example: motebench describe {_EXAMPLES[kind]}",
        )
    return kind, arguments[1]


_EXAMPLES = {
    "scheme": "aes-128-gcm",
    "algorithm": "aes",
    "implementation": "openssl",
    "target": "sim:samd21g18a",
    "device": "samd21g18a",
    "radio": "sx1276",
    "region": "eu868",
    "battery": "cr2032",
    "study": "quickstart",
    "element": "atecc608b",
    "converter": "tps62740",
    "paper": "lino-2022",
    "protocol": "edhoc",
}
