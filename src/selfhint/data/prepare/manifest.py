"""What a folder of prepared data was made of and how, so that one can tell whether making it again gives the same."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from selfhint.data.prepare.spool import ESCAPED
from selfhint.data.source import Source

MANIFEST = "manifest.json"
MADE_FROM, OUTPUTS = "made_from", "outputs"


def sha256_of(path: Path) -> str:
    """Of a file's bytes, in hexadecimal.

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def described(source: Source) -> dict[str, Any]:
    """The files of a source, by their bytes; generated data by what generates them."""
    if source.is_generated:
        return {"name": source.name, "generator": version_of("reasoning_gym")}
    return {
        "name": source.name,
        "files": [{"name": file.name, "sha256": sha256_of(file.path)} for file in source.files],
    }


def version_of(package: str) -> str | None:
    """The installed version; None where it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def versions(packages: Sequence[str]) -> dict[str, str | None]:
    """Versions of this package and others that decide a result."""
    return {package: version_of(package) for package in ("selfhint", *packages)}


def outputs_of(folder: Path, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """The files of a result, with how many rows each has.

    Raises:
        OSError: one cannot be read.
    """
    return [{"file": name, "rows": rows, "sha256": sha256_of(folder / name)} for name, rows in counts.items()]


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None where there is none that can be read."""
    try:
        content = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return content if _is_manifest(content) else None


def _is_manifest(content: Any) -> bool:
    """Whether it has what is looked at again."""
    return (
        isinstance(content, dict)
        and MADE_FROM in content
        and isinstance(content.get(OUTPUTS), list)
        and all(isinstance(output, dict) and isinstance(output.get("file"), str) for output in content[OUTPUTS])
    )


def is_whole(folder: Path, manifest: Mapping[str, Any]) -> bool:
    """Whether the files of a folder are those that its manifest names."""
    try:
        return all(sha256_of(folder / output["file"]) == output["sha256"] for output in manifest[OUTPUTS])
    except (OSError, ValueError, KeyError):
        return False


def as_json(value: dict[str, Any]) -> dict[str, Any]:
    """What comes back when it is written and read."""
    back: dict[str, Any] = json.loads(json.dumps(value))
    return back


def encode_manifest(manifest: Mapping[str, Any]) -> bytes:
    """As JSON that a person can read."""
    return json.dumps(manifest, indent=1, ensure_ascii=False).translate(ESCAPED).encode() + b"\n"
