"""Writes the first inputs for fuzzing: seeds.py SEEDS BACKUP GOLDEN.

SEEDS gets a folder of inputs for each reader. BACKUP becomes a device's folder in a backup; each
input for 'manifest' later replaces its Manifest.db. GOLDEN gets the golden file 'x'; each input for
'pending' is later written beside it.
"""

import json
import pathlib
import plistlib
import sqlite3
import struct
import sys

seeds, backup, golden = (pathlib.Path(argument) for argument in sys.argv[1:])
root = pathlib.Path(__file__).resolve().parents[2]


def seed(reader, name, data):
    folder = seeds / reader
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


for reader, files in ("scenario", "Scenarios"), ("golden", "Golden"):
    suffix = {"scenario": "*.json5", "golden": "*.golden"}[reader]
    for number, file in enumerate(sorted((root / files).rglob(suffix))):
        if file.stat().st_size < 20_000:
            seed(reader, str(number), file.read_bytes())

# The record of a file in a backup, archived as in backups of the Finder.
uid = plistlib.UID
archive = plistlib.dumps({
    "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": uid(1)},
    "$objects": [
        "$null",
        {"$class": uid(3), "RelativePath": uid(2), "Size": 5, "Mode": 0o100644, "InodeNumber": 9,
         "Birth": 1, "LastModified": 2, "LastStatusChange": 3, "Flags": 0, "UserID": 501,
         "GroupID": 501, "ProtectionClass": 3, "ExtendedAttributes": uid(4), "Target": uid(2)},
        "Documents/list.json", {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]},
        b"bplist00",
    ]}, fmt=plistlib.FMT_BINARY)
seed("archive", "file", archive)
seed("property-list", "archive", archive)
lists = {
    "Manifest.plist": {
        "IsEncrypted": False, "Version": "10.0", "Lockdown": {
            "ProductVersion": "17.0", "BuildVersion": "21A1", "DeviceName": "x", "UniqueDeviceID": "0"},
        "Applications": {"com.example.app": {"CFBundleIdentifier": "com.example.app"}}},
    "Status.plist": {
        "IsFullBackup": True, "SnapshotState": "finished", "BackupState": "new", "Version": "3.3",
        "UUID": "x"},
    "Info.plist": {"Product Version": "17.0", "Target Identifier": "0"},
}
backup.mkdir(parents=True)
for name, value in lists.items():
    for form in plistlib.FMT_BINARY, plistlib.FMT_XML:
        seed("property-list", f"{name}-{form.name}", plistlib.dumps(value, fmt=form))
    (backup / name).write_bytes(plistlib.dumps(value, fmt=plistlib.FMT_BINARY))

manifest = seeds / "manifest.db"
database = sqlite3.connect(manifest)
database.executescript("""
    PRAGMA page_size = 1024;
    CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);
    CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB);
    """)
for number, (path, flags) in enumerate([("", 2), ("Documents", 2), ("Documents/list.json", 1)]):
    database.execute(
        "INSERT INTO Files VALUES (?, 'AppDomain-com.example.app', ?, ?, ?)",
        (f"{number:040x}", path, flags, archive))
database.commit()
database.close()
seed("manifest", "small", manifest.read_bytes())
(backup / "Manifest.db").write_bytes(manifest.read_bytes())
manifest.unlink()

mark = "com.apple.metadata:com_apple_backup_excludeItem"
seed("container-list", "small", "\n".join([
    "# container-list 1 com.example.app 26.0", "Documents\td\t0\t\t1\t",
    f"Documents/a b\tf\t12\t{mark},com.apple.MobileBackup\t2\t", "tmp/l\tl\t0\t\t3\tDocuments/x",
    "Library/\\u{7}\to\t0\t\t4\t", ""]).encode())
seed("container-list", "probe", "\n".join([
    "# container-list 2 com.example.app 26.0 after=update",
    f"tmp/a\tf\t1\t{mark}\t1\t\tmode=644\tlinks=1\tmodified=7\tasks=in \\u{{7}} tmp\tmarked=yes",
    "b\t-\t0\t\t0\tnot\\npermitted\tasks=in b", ""]).encode())


def record(kind, path, other=b"", data=b"", offset=0, argument=0, number=1):
    size = 48 + len(path) + len(other) + len(data)
    return struct.pack(
        "<IIQIIqqII", 0x31544253, kind, size, 7, number, offset, argument, len(path), len(other)
    ) + path + other + data


for kind in range(1, 17):
    seed("tap-log", str(kind), record(3, b"/a", data=b"text", argument=4) + record(
        kind, b"/a", b"/b", argument=2, number=1 if kind in (13, 16) else 2))


# A key bag of iOS is a list of entries: a tag of four letters, the length of the value, the value.
def entry(tag, data):
    data = struct.pack(">I", data) if isinstance(data, int) else data
    return tag.encode() + struct.pack(">I", len(data)) + data


bag = b"".join([
    entry("VERS", 5), entry("TYPE", 1), entry("UUID", b"1" * 16), entry("HMCK", b"2" * 40),
    entry("WRAP", 1), entry("SALT", b"3" * 20), entry("ITER", 10), entry("DPWT", 1),
    entry("DPIC", 10), entry("DPSL", b"4" * 20)])
for number in range(1, 4):
    bag += b"".join([
        entry("UUID", b"5" * 16), entry("CLAS", number), entry("WRAP", 2), entry("KTYP", 0),
        entry("WPKY", b"6" * 40)])
seed("key-bag", "binary", plistlib.dumps(
    {"BackupKeyBag": bag, "ManifestKey": struct.pack("<I", 1) + b"7" * 40, "IsEncrypted": True},
    fmt=plistlib.FMT_BINARY))
seed("key-bag", "xml", plistlib.dumps(
    {"BackupKeyBag": bag, "ManifestKey": struct.pack("<I", 1) + b"7" * 40}))

first = "\n".join([
    "# container-list 2 com.example.app 26.0",
    f"Documents/a\tf\t1\t{mark}\t1\t\tmode=644\tasks=marked, then saved atomically\tmarked=yes",
    "tmp/b\tf\t0\t\t2\t\tasks=in tmp", "c\t-\t0\t\t0\tnot\\npermitted\tasks=in c", ""]).encode()
seed("probe-lists", "one", first)
for occasion in "update", "restart", "restore":
    seed("probe-lists", occasion, first + b"\xff" + first.replace(
        b"26.0\n", f"26.0 after={occasion}\n".encode()))

code = {"function": "f()", "file": "a.swift", "line": 8, "isAsynchronous": False}
problem = {
    "kind": "finding", "rule": "undeclared-item", "severity": "error", "fails": True, "line": 1,
    "column": 1, "message": "m", "path": "Library/a", "details": ["code: f()"], "code": [code]}
run = {
    "system": "26", "backups": "iCloud", "findings": [], "moreItems": 0,
    "events": [{"step": "1", "line": 1, "kind": "app", "summary": ""},
               {"step": "2", "line": 2, "kind": "backup", "summary": ""}],
    "items": [{"path": "Library/a", "states": [
        {"event": 0, "state": "mark"}, {"event": 1, "state": "missing", "why": "purged"}]}],
    "calls": [{"step": "1", "kind": "save", "path": "Library/a", "code": code}]}
scenario = {
    "id": "movie", "file": "movie.json5", "title": "t", "tags": ["x"], "verdict": "failed",
    "runCount": 1, "problems": [problem], "seconds": 1.5, "runs": [run]}
seed("results", "small", json.dumps({"format": 3, "scenarios": [scenario]}).encode())
seed("results", "others", json.dumps(
    {"format": 3, "scenarios": [scenario], "orphans": ["b.golden"], "orphansFail": True,
     "leftOutCount": 1, "obstacle": "o", "tests": [],
     "origin": {"time": "2026-01-02T03:04:05Z", "commit": "a" * 40, "package": "p", "kit": "0"}}).encode())
seed("coverage", "small", json.dumps({"data": [{"files": [{
    "filename": "/a.swift", "segments": [[6, 36, 3, True, True, False], [12, 4, 0, False, False, False]]}]}],
    "type": "llvm.coverage.json.export", "version": "2.0.1"}).encode())

golden.mkdir(parents=True)
file = next(file for file in sorted((root / "Golden").rglob("*.golden")) if file.stat().st_size < 3000)
text = file.read_text()
(golden / "x.golden").write_text(text)
for number, changed in enumerate([text, text.replace("Documents", "Library"), text + "more\n"]):
    head = "# new golden 2: x\n# replaces 1 by 2\n# scenario x.json5\n# because\n"
    seed("pending", str(number), (head + changed).encode())
