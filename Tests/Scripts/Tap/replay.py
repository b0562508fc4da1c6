"""Does anew what a log of FileSystemTap's tells, in an empty folder, and compares that with the folder.

Usage: replay.py LOG FOLDER COPY. Prints the kinds of the changes that the log has, and fails where an
item, what it holds or a mark of it differs; special files are left out.
"""

import os
import pathlib
import struct
import sys

HEADER = struct.Struct("<IIQIIqqII")
FAILED, SHORT, GROWS = 13, 16, 0x100
PREFIX = "user.com.apple."


def records(log):
    """The changes that were done."""
    found, at, places = [], 0, {}
    while at < len(log):
        magic, kind, length, process, number, offset, argument, path_length, other_length = \
            HEADER.unpack_from(log, at)
        assert magic == 0x31544253 and at + length <= len(log), f"no record at byte {at}"
        begin = at + HEADER.size
        path = log[begin:begin + path_length]
        other = log[begin + path_length:begin + path_length + other_length]
        data = log[begin + path_length + other_length:at + length]
        at += length
        change = (process, number)
        kind &= ~GROWS
        if kind == FAILED:
            found[places[change]] = None
        elif kind == SHORT:
            *head, argument_before, data_before = found[places[change]]
            found[places[change]] = (*head, min(argument, argument_before), data_before[:argument])
        else:
            places[change] = len(found)
            found.append((kind, path, other, offset, argument, data))
    return [record for record in found if record]


def write(path, offset, bytes_):
    """Writes bytes into a file that is there."""
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(bytes_)


def exchange(old, new):
    """Lets two items have each other's names."""
    os.rename(old, old + b".exchanged")
    os.rename(new, old)
    os.rename(old + b".exchanged", new)


def replay(kind, path, other, offset, argument, data):
    """Does one change."""
    if kind == 1:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    elif kind == 2:
        os.truncate(path, argument)
    elif kind in (3, 17):
        write(path, offset, data or bytes(argument))
    elif kind == 4:
        (exchange if argument & 2 else os.rename)(path, other)
    elif kind == 5:
        os.link(path, other, follow_symlinks=False)
    elif kind == 6:
        os.symlink(data, path)
    elif kind == 7:
        os.unlink(path)
    elif kind == 8:
        os.rmdir(path)
    elif kind == 9:
        os.mkdir(path, 0o700)
    elif kind == 10:
        os.setxattr(path, other, data, argument, follow_symlinks=False)
    elif kind == 11:
        os.removexattr(path, other, follow_symlinks=False)
    elif kind == 14:
        os.truncate(path, max(os.path.getsize(path), offset + argument))
    else:
        assert kind == 12, f"{path} cannot be told"


def contents(folder):
    """The items below a folder, with what they hold."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            held = os.readlink(path)
        elif path.is_dir():
            held = None
        elif path.is_file():
            held = path.read_bytes()
        else:
            continue
        marks = {} if path.is_symlink() else {
            name: os.getxattr(path, name) for name in os.listxattr(path) if name.startswith(PREFIX)}
        found[str(path.relative_to(folder))] = (held, marks)
    return found


def main(log, folder, copy):
    """Replays and compares."""
    root = os.fsencode(os.path.realpath(folder))
    told = records(pathlib.Path(log).read_bytes()) if os.path.exists(log) else []
    moved = [
        (kind, path.replace(root, os.fsencode(copy), 1), other.replace(root, os.fsencode(copy), 1), *rest)
        for kind, path, other, *rest in told]
    for record in moved:
        replay(*record)
    was, has = contents(pathlib.Path(folder)), contents(pathlib.Path(copy))
    for name in sorted(was.keys() | has.keys()):
        if was.get(name) != has.get(name):
            print(f"{name}: is {str(was.get(name))[:200]}, replayed {str(has.get(name))[:200]}")
    print(len(told), "changes of the kinds", *sorted({record[0] for record in told}))
    return 0 if was == has else 1


sys.exit(main(*sys.argv[1:]))
