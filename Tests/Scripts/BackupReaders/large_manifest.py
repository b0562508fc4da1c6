"""Writes a large backup folder with its container, and measures how long the tool compares them,
beside an inspection of the container.

Usage: large_manifest.py TOOL FOLDER ROWS
"""

import hashlib
import os
import plistlib
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

tool, work = sys.argv[1], Path(sys.argv[2])
ROWS, FOLDERS, ROUNDS = int(sys.argv[3]), 2_000, 5
# How many inspections of the container a comparison of so many rows may take; fewer are not judged.
JUDGED_ROWS, LIMIT = 200_000, 7.0
APP = "com.example.large"
DOMAIN = f"AppDomain-{APP}"


def archive(path, mode, size, inode):
    """The keyed archive of an item, as plistlib writes it."""
    uid = plistlib.UID
    root = {
        "$class": uid(3), "RelativePath": uid(2), "Mode": mode, "Size": size, "Flags": 0,
        "LastModified": 1_700_000_000, "LastStatusChange": 1_700_000_000, "Birth": 1_700_000_000,
        "UserID": 501, "GroupID": 501, "InodeNumber": inode, "ProtectionClass": 3,
    }
    kind = {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]}
    return plistlib.dumps(
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": uid(1)},
         "$objects": ["$null", root, path, kind]}, fmt=plistlib.FMT_BINARY)


def write():
    """Writes the folder and the container."""
    device, container = work / "backup" / ("0" * 40), work / "container"
    device.mkdir(parents=True)
    for number in range(256):
        (device / f"{number:02x}").mkdir()
    (device / "Manifest.plist").write_bytes(plistlib.dumps(
        {"IsEncrypted": False, "Lockdown": {"ProductVersion": "18.1"}}, fmt=plistlib.FMT_BINARY))
    paths = [("", 0)]
    for path in ["Documents", "Library", "Library/Preferences"]:
        paths.append((path, 0))
    paths += [(f"Documents/folder-{number}", 0) for number in range(FOLDERS)]
    count = ROWS - len(paths)
    paths += [(f"Documents/folder-{n % FOLDERS}/file {n}.json", 1) for n in range(count)]
    database = sqlite3.connect(device / "Manifest.db")
    database.executescript(
        "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, "
        "flags INTEGER, file BLOB); CREATE INDEX D ON Files(domain);")
    rows = []
    for number, (path, is_file) in enumerate(paths):
        name = hashlib.sha1(f"{DOMAIN}-{path}".encode()).hexdigest()
        if is_file:
            (container / path).touch()
            os.link(container / path, device / name[:2] / name)
            rows.append((name, DOMAIN, path, 1, archive(path, 0o100644, 0, number)))
        else:
            (container / path).mkdir()
            rows.append((name, DOMAIN, path, 2, archive(path, 0o040755, 0, number)))
    database.executemany("INSERT INTO Files VALUES (?, ?, ?, ?, ?)", rows)
    database.commit()
    database.close()
    return device, container


def measure(words, expected):
    """User and system time of the tool, in seconds, which must print what is expected."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([tool, *words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0 or expected not in run.stdout:
        sys.exit(f"{words[0]} went wrong:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


device, container = (str(folder) for folder in write())
comparison = ["compare-backup", device, "--app", APP, "--container", container]
compared = inspected = float("inf")
for _ in range(ROUNDS):
    inspected = min(inspected, measure(["inspect", container], ""))
    compared = min(compared, measure(comparison, f"{ROWS - 1} items in the backup as predicted"))
words = f"{ROWS} rows compared: {compared:.2f} s, {compared / inspected:.2f} inspections"
if ROWS < JUDGED_ROWS:
    sys.exit(print(f"{words}, which is not judged"))
is_kept = compared <= LIMIT * inspected
print(f"{words}, at most {LIMIT:.2f}: {'OK' if is_kept else 'FAILED'}")
sys.exit(not is_kept)
