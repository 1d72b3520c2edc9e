"""Collects vectors by scheme and writes ``catalog/vectors/<group>/<scheme>.json``."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from motebench.base.model import Operation
from motebench.catalog.vectors.files import FORMAT
from motebench.catalog.vectors.model import Validity, Vector

_HEX = ("key", "nonce", "aad", "data", "tag", "public", "context", "seed", "ciphertext", "secret")


def spread(items: Sequence[Vector], count: int) -> list[Vector]:
    """``count`` items at even distances, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    if count == 1:
        return [items[0]]
    step = (len(items) - 1) / (count - 1)
    return [items[round(index * step)] for index in range(count)]


@dataclass
class Collection:
    """Vectors by scheme, in the order they were added."""

    groups: dict[str, str] = field(default_factory=dict)
    vectors: dict[str, list[Vector]] = field(default_factory=dict)

    def add(self, group: str, vectors: Iterable[Vector]) -> None:
        """Add vectors whose ``scheme``, ``id`` and ``source`` are set; the same question is taken
        once.
        """
        for vector in vectors:
            if vector.not_applicable:
                raise ValueError(f"{vector.scheme} {vector.id}: {vector.not_applicable}")
            if self.groups.setdefault(vector.scheme, group) != group:
                raise ValueError(f"{vector.scheme} is in {group} and {self.groups[vector.scheme]}")
            known = self.vectors.setdefault(vector.scheme, [])
            plain = replace(vector, id="", source="", comment="")
            if all(replace(other, id="", source="", comment="") != plain for other in known):
                known.append(vector)

    def keep(self, names: Container[str]) -> None:
        """Forget schemes that are not among ``names``: sources know more than the catalog."""
        self.vectors = {name: vectors for name, vectors in self.vectors.items() if name in names}

    def write(self, folder: Path) -> int:
        """Write one file for each scheme; returns the number of bytes."""
        total = 0
        for scheme, vectors in self.vectors.items():
            path = folder / self.groups[scheme] / f"{scheme}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [json.dumps(fields(vector), ensure_ascii=False) for vector in vectors]
            head = {"$schema": "../schema.json", "format": FORMAT, "scheme": scheme}
            text = json.dumps(head)[:-1] + ', "vectors": [\n' + ",\n".join(lines) + "\n]}\n"
            path.write_text(text, encoding="utf-8")
            total += len(text)
        return total


def fields(vector: Vector) -> dict[str, Any]:
    """Vector as the JSON of our own format, defaults left out."""
    out: dict[str, Any] = {"id": vector.id, "op": vector.operation.value}
    for name in _HEX:
        value: bytes = getattr(vector, name)
        if value:
            out[name] = value.hex()
    if vector.expect_out is not None:
        out["out"] = vector.expect_out.hex()
    if vector.expect_tag is not None:
        out["out_tag"] = vector.expect_tag.hex()
    if vector.result is not Validity.VALID:
        out["result"] = vector.result.value
    if vector.operation is Operation.MAC and vector.tag_bytes != len(vector.expect_out or b""):
        out["tag_bytes"] = vector.tag_bytes
    if vector.chain != 1:
        out["chain"] = vector.chain
    out["source"] = vector.source
    if vector.comment:
        out["comment"] = vector.comment
    return out
