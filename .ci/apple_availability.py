"""The check of `.ci/apple-availability`, which see."""

import json
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.dont_write_bytecode = True

import swift_index  # noqa: E402

# The modules of the toolchain that the package may import.
MODULES = (
    "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "FoundationEssentials",
    "Foundation", "Dispatch", "Testing",
)
# A `for await` is indexed as a use of this one, though the compiler takes `next()` for it where the
# package's oldest system has no other.
FOR_AWAIT = "next(isolation:)"
# What Foundation for iOS does not have at all. The simulator's job compiles every target for iOS.
MISSING_ON_IOS = ("Process", "FileManager.homeDirectoryForCurrentUser")

Version = tuple[int, int]


def declared_platforms(manifest: str) -> dict[str, Version]:
    """The oldest version of each platform that a package's manifest declares."""
    pattern = r"\.(macOS|iOS|tvOS|watchOS|visionOS)\(\.v(\d+)(?:_(\d+))?\)"
    return {
        name: (int(major), int(minor or 0)) for name, major, minor in re.findall(pattern, manifest)
    }


def newer_than(declared: dict[str, Version], symbol: dict) -> str:
    """What a symbol needs that is newer than what is declared, in words; empty for nothing."""
    needed = []
    for availability in symbol.get("availability", []):
        oldest = declared.get(availability.get("domain"))
        introduced = availability.get("introduced")
        if oldest is None or introduced is None:
            continue
        version = (introduced["major"], introduced.get("minor", 0))
        if version > oldest:
            needed.append(f"{availability['domain']} {version[0]}.{version[1]}")
    return ", ".join(needed)


def toolchain_symbols() -> Iterator[dict]:
    """Every public symbol of the toolchain's modules, as symbol graphs have it."""
    info = subprocess.run(["swift", "-print-target-info"], capture_output=True, check=True).stdout
    target = json.loads(info)["target"]["triple"]
    modules = swift_index.toolchain() / "lib/swift/linux"
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", module, "-target", target,
                 "-I", modules, "-output-dir", folder, "-minimum-access-level", "public"],
                capture_output=True)
        for graph in Path(folder).glob("*.symbols.json"):
            yield from json.loads(graph.read_text())["symbols"]


def newer_symbols(declared: dict[str, Version]) -> dict[str, tuple[str, str]]:
    """The title, and what it needs, of each symbol of the toolchain that is newer; by USR.

    A requirement of a protocol may be newer than its default implementation, as that of `&*` is.
    The compiler then takes the implementation, so that is none.
    """
    newer, missing, old = {}, {}, set()
    for symbol in toolchain_symbols():
        title = ".".join(symbol["pathComponents"])
        signature = "".join(part["spelling"] for part in symbol["declarationFragments"])
        if title in MISSING_ON_IOS:
            missing[symbol["identifier"]["precise"]] = (title, "macOS or Linux")
        if needed := newer_than(declared, symbol):
            newer[symbol["identifier"]["precise"]] = (title, signature, needed)
        else:
            old.add((title, signature))
    return {
        usr: (title, needed) for usr, (title, signature, needed) in newer.items()
        if (title, signature) not in old
    } | missing


def main() -> int:
    """Prints each use of what is newer; 1 where there is one, or where nothing could be looked at."""
    if platform.system() != "Linux":
        print("SKIPPED: on a Mac the compiler itself checks what is available")
        return 0
    declared = declared_platforms(Path("Package.swift").read_text())
    newer = newer_symbols(declared)
    uses, count = set(), 0
    try:
        for occurrence in swift_index.occurrences():
            count += 1
            title, needed = newer.get(occurrence.usr, ("", ""))
            if title and FOR_AWAIT not in title:
                uses.add((occurrence.file, occurrence.line, occurrence.column, title, needed))
    except swift_index.IndexMissing as missing:
        print(f"apple-availability: {missing}")
        return 1
    for file, line, column, title, needed in sorted(uses):
        print(f"{file}:{line}:{column}: error: {title} needs {needed}")
    platforms = ", ".join(f"{name} {major}.{minor}" for name, (major, minor) in declared.items())
    print(
        f"{len(uses)} uses of API newer than {platforms or 'no platform'}; "
        f"{count} uses looked at, {len(newer)} newer symbols known")
    return 1 if uses or not (declared and newer and count) else 0


if __name__ == "__main__":
    sys.exit(main())
