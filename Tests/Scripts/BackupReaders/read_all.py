"""Has independent readers list and extract a backup folder, and compares with the scenario's report.

Usage: read_all.py SCENARIO STEP DEVICE-FOLDER REPORT EXTRACTED
"""

import hashlib
import json
import logging
import os
import plistlib
import re
import sys
from pathlib import Path

name, step, device, report_file, extracted = sys.argv[1:]
device = Path(device)
logging.disable(logging.WARNING)


def unescaped(text):
    """A path of a report as it is: `\\n`, `\\u{1}` and the like are one character each."""
    letters = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}

    def character(match):
        if match[1]:
            return chr(int(match[1], 16))
        return letters[match[2]]

    return re.sub(r"\\(?:u\{([0-9A-F]+)\}|(.))", character, text)


def place(app, path):
    """The domain of an item of a report, and its path in that."""
    first, _, rest = path.partition("/")
    if first.endswith(":") and "." in first:
        kind = "Group" if first.startswith("group.") else "Plugin"
        return f"AppDomain{kind}-{first[:-1]}", rest
    return f"AppDomain-{app}", path


def expected_items():
    """Kind, size and place of the files, links and empty directories of the scenario's backup."""
    information = plistlib.loads((device / "Info.plist").read_bytes())
    app = information["Installed Applications"][0]
    system = information["Product Version"]
    runs = json.loads(Path(report_file).read_text())["scenarios"][0]["runs"]
    runs = [run for run in runs if run["system"] == system]
    runs = [run for run in runs if run["backups"] == "local"] or runs
    index = next(
        index for index, event in enumerate(runs[0]["events"])
        if event["kind"] == "backup" and event["step"] == step)
    found = {}
    for item in runs[0]["items"]:
        states = [state for state in item["states"] if state["event"] <= index]
        if not states or states[-1]["state"] != "in":
            continue
        path, size = item["path"], states[-1].get("size")
        kind = "directory" if path.endswith("/") else "link" if size is None else "file"
        found[place(app, unescaped(path.removesuffix("/")))] = (kind, size or 0)
    return found


def require(condition, message):
    """Ends the script where something is not so."""
    if not condition:
        sys.exit(f"{name}: {message}")


expected = expected_items()
files = {place: size for place, (kind, size) in expected.items() if kind == "file"}
others = set(expected) - set(files)
require(files or others, "the scenario's backup holds nothing")


def contents(place):
    """What the folder holds of a file, by the hash of its place."""
    file_id = hashlib.sha1("-".join(place).encode()).hexdigest()
    return (device / file_id[:2] / file_id).read_bytes()


def compare(reader, listed, read):
    """Compares what a reader lists, as flags by place, and what it extracts of each file."""
    require(set(expected) <= set(listed), f"{reader} lacks {sorted(set(expected) - set(listed))}")
    # What a report has no line for: the containers, and directories in which something is, or of
    # which all that is in them is left out.
    strangers = {place for place in set(listed) - set(expected) if listed[place] != 2}
    for place, (kind, _) in expected.items():
        flags = {"file": 1, "directory": 2, "link": 4}[kind]
        require(listed[place] == flags, f"{reader}: {place} has the flags {listed[place]}")
    require(not strangers, f"{reader} lists {sorted(strangers)} besides")
    for place, size in files.items():
        found = read(place)
        require(len(found) == size, f"{reader}: {place} has {len(found)} bytes, not {size}")
        require(found == contents(place), f"{reader}: {place} has other contents")
    print(f"{name}: {reader}: {len(listed)} items, {len(files)} files")


def with_pyiosbackup():
    from pyiosbackup import Backup

    backup = Backup.from_path(device)
    target = Path(extracted) / "pyiosbackup"
    backup.unback(target, strict=True)
    entries = {(entry.domain, entry.relative_path): entry for entry in backup.iter_entries()}
    flags = {0o100000: 1, 0o040000: 2, 0o120000: 4}
    listed = {place: flags[entry.mode & 0o170000] for place, entry in entries.items()}
    compare("pyiosbackup", listed, lambda place: (target / place[0] / place[1]).read_bytes())


def with_ios_backup():
    from iOSbackup import iOSbackup

    backup = iOSbackup(device.name, backuproot=str(device.parent))
    target = Path(extracted) / "iOSbackup"
    domains = backup.getDomains()
    target.mkdir(parents=True)
    backup.getFolderDecryptedCopy(targetFolder=str(target), includeDomains=domains)
    rows = backup.getBackupFilesList()
    listed = {(item["domain"], item["name"]): item["flags"] for item in rows}

    def read(place):
        path = target / place[0] / place[1]
        # This reader takes an unencrypted file of no bytes for a directory, whoever wrote the folder.
        return b"" if path.is_dir() and files[place] == 0 else path.read_bytes()

    compare("iOSbackup", listed, read)


def with_mvt():
    from mvt.ios.modules.backup.manifest import Manifest

    module = Manifest(target_path=str(device), log=logging.getLogger("mvt"))
    module.run()
    results = {(item["domain"], item["relative_path"]): item for item in module.results}
    missing = [place for place, item in results.items() if item.get("missing")]
    require(not missing, f"mvt misses the contents of {missing}")
    for place in results:
        require(results[place].get("mode"), f"mvt cannot read the description of {place}")

    def read(place):
        path = module._get_backup_file_from_id(results[place]["file_id"])
        require(path, f"mvt does not find {place}")
        return Path(path).read_bytes()

    compare("mvt", {place: item["flags"] for place, item in results.items()}, read)


os.makedirs(extracted)
with_pyiosbackup()
with_ios_backup()
with_mvt()
