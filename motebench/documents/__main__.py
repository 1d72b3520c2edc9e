"""``python -m motebench.documents``: writes the JSON Schemas from the classes of documents."""

from __future__ import annotations

from pathlib import Path

from motebench.documents.schemas import NAMES, text

if __name__ == "__main__":
    for name in NAMES:
        path = Path(__file__).parent / "json" / f"{name}.schema.json"
        path.write_text(text(name), encoding="utf-8")
        print(path)
