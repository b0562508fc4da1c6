"""The check of `.ci/folders`, which see."""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

sys.dont_write_bytecode = True

import swift_index  # noqa: E402


class Folder(NamedTuple):
    """A folder of a target's sources."""

    target: str
    path: str  # relative to the target's own folder, which is "."

    @classmethod
    def of(cls, file: str) -> "Folder":
        """The folder of a file whose path begins with `Sources/`."""
        _, target, *inner = PurePosixPath(file).parts
        return cls(target, "/".join(inner[:-1]) or ".")


# By which a folder uses another: one file, and the other with the symbol it defines.
Uses = dict[Folder, dict[Folder, tuple[str, str]]]


def uses_between_folders() -> tuple[Uses, int]:
    """What uses what, each pair of folders with one example; and how many files were looked at."""
    occurrences = list(swift_index.occurrences(folders=("Sources",)))
    definitions = {seen.usr: seen.file for seen in occurrences if seen.is_definition}
    uses: Uses = defaultdict(dict)
    for seen in sorted(occurrences):
        origin = definitions.get(seen.usr, seen.file)
        user, used = Folder.of(seen.file), Folder.of(origin)
        if user.target == used.target and user != used:
            uses[user].setdefault(used, (f"{seen.file}:{seen.line}:{seen.column}", origin))
    return uses, len({seen.file for seen in occurrences})


def reachable(uses: Uses, start: Folder) -> set[Folder]:
    """The folders that one uses, directly or by way of others."""
    found: set[Folder] = set()
    ahead = [start]
    while ahead:
        for folder in uses.get(ahead.pop(), {}):
            if folder not in found:
                found.add(folder)
                ahead.append(folder)
    return found


def circular(uses: Uses) -> Iterator[tuple[Folder, Folder]]:
    """The pairs of folders of which the second uses the first too, by way of others maybe."""
    for user in sorted(uses):
        for used in sorted(uses[user]):
            if user in reachable(uses, used):
                yield user, used


def main() -> int:
    """Prints each use that is part of a circle; 1 where there is one, or nothing to look at."""
    try:
        uses, count = uses_between_folders()
    except swift_index.IndexMissing as missing:
        print(f"folders: {missing}")
        return 1
    found = list(circular(uses))
    for user, used in found:
        place, origin = uses[user][used]
        print(
            f"{place}: error: {user.target}/{user.path} uses {used.target}/{used.path} ({origin}), "
            "which uses it too")
    print(f"{len(found)} uses in circles between folders; {count} files looked at")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
