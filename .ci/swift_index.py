"""Reads the index that a debug build of the package leaves behind: which symbol stands where.

The compiler writes it for editors. Symbols are known by their USR, the compiler's unambiguous name
for a declaration, so that two of one spelling are told apart.

    import swift_index
    for occurrence in swift_index.occurrences():
        print(occurrence.file, occurrence.usr)
"""

import ctypes
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

# The folders that hold the package's own sources.
SOURCE_FOLDERS = ("Sources", "Tests")

# The kind of a unit's dependency that is a record.
_RECORD = 2


class IndexMissing(Exception):
    """There is no index to be read, and why."""


class Occurrence(NamedTuple):
    """One place where a symbol stands."""

    file: str  # relative to the package
    usr: str  # the compiler's name of the symbol
    line: int  # from 1
    column: int  # in bytes from 1


def toolchain() -> Path:
    """The folder `usr` of the toolchain whose `swift` is on the search path."""
    swift = shutil.which("swift")
    if swift is None:
        raise IndexMissing("swift is not on the search path")
    return Path(swift).resolve().parent.parent


def occurrences(package: str = ".") -> Iterator[Occurrence]:
    """Yields every place in the package's own files where a symbol stands, in no order.

    What the compiler derives from the sources, in the build folder, is left out, and so are files
    that are no longer there.
    """
    root = Path(package).resolve()
    store = root / ".build" / "debug" / "index" / "store"
    units = sorted(store.glob("v5/units/*"))
    if not units:
        raise IndexMissing("there is no index: run `swift build --build-tests` first")
    reader = _IndexReader(store)
    tops = tuple(str(root / folder) + os.sep for folder in SOURCE_FOLDERS)
    for unit in units:
        file, records = reader.unit(unit.name)
        if not file.startswith(tops) or not os.path.exists(file):
            continue
        relative = os.path.relpath(file, root)
        for record in records:
            for usr, line, column in reader.record(record):
                yield Occurrence(relative, usr, line, column)


class _Text(ctypes.Structure):
    """A string of the library's, which does not end in a NUL."""

    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self) -> str:
        if not self.length:
            return ""
        return ctypes.string_at(self.data, self.length).decode(errors="replace")


_Pointer = ctypes.c_void_p
_Visitor = ctypes.CFUNCTYPE(ctypes.c_bool, _Pointer, _Pointer)


class _IndexReader:
    """An index store, read by way of the toolchain's libIndexStore, whose interface is in C."""

    def __init__(self, store: Path):
        found = sorted(toolchain().glob("lib/libIndexStore.*"))
        if not found:
            raise IndexMissing("the toolchain has no libIndexStore")
        self._library = ctypes.CDLL(str(found[0]))
        self._error = _Pointer()
        create = self._function("store_create", _Pointer, ctypes.c_char_p, _Pointer)
        self._store = create(str(store).encode(), ctypes.byref(self._error))
        self._declare()

    def _function(self, name: str, result: type, *arguments: type) -> Callable:
        """A function of the library, with its signature."""
        function = getattr(self._library, f"indexstore_{name}")
        function.restype, function.argtypes = result, arguments
        return function

    def _declare(self) -> None:
        """Names the functions by which units and records are read."""
        declare, number = self._function, ctypes.POINTER(ctypes.c_uint)
        name = (_Pointer, ctypes.c_char_p, _Pointer)
        self._open_unit = declare("unit_reader_create", _Pointer, *name)
        self._close_unit = declare("unit_reader_dispose", None, _Pointer)
        self._main_file = declare("unit_reader_get_main_file", _Text, _Pointer)
        self._each_dependency = declare(
            "unit_reader_dependencies_apply_f", ctypes.c_bool, _Pointer, _Pointer, _Visitor)
        self._kind = declare("unit_dependency_get_kind", ctypes.c_int, _Pointer)
        self._name = declare("unit_dependency_get_name", _Text, _Pointer)
        self._file = declare("unit_dependency_get_filepath", _Text, _Pointer)
        self._open_record = declare("record_reader_create", _Pointer, *name)
        self._close_record = declare("record_reader_dispose", None, _Pointer)
        self._each_occurrence = declare(
            "record_reader_occurrences_apply_f", ctypes.c_bool, _Pointer, _Pointer, _Visitor)
        self._symbol = declare("occurrence_get_symbol", _Pointer, _Pointer)
        self._place = declare("occurrence_get_line_col", None, _Pointer, number, number)
        self._usr = declare("symbol_get_usr", _Text, _Pointer)

    def unit(self, name: str) -> tuple[str, list[str]]:
        """The absolute path of the file that a unit was compiled from, and the file's records."""
        unit = self._open_unit(self._store, name.encode(), ctypes.byref(self._error))
        if not unit:
            return "", []
        main, records = str(self._main_file(unit)), []

        def visit(_: int, dependency: int) -> bool:
            if self._kind(dependency) == _RECORD and str(self._file(dependency)) == main:
                records.append(str(self._name(dependency)))
            return True

        self._each_dependency(unit, None, _Visitor(visit))
        self._close_unit(unit)
        return main, records

    def record(self, name: str) -> list[tuple[str, int, int]]:
        """The USR, line and column of each occurrence in a record."""
        record = self._open_record(self._store, name.encode(), ctypes.byref(self._error))
        found: list[tuple[str, int, int]] = []
        if not record:
            return found
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def visit(_: int, occurrence: int) -> bool:
            self._place(occurrence, ctypes.byref(line), ctypes.byref(column))
            usr = str(self._usr(self._symbol(occurrence)))
            found.append((usr, line.value, column.value))
            return True

        self._each_occurrence(record, None, _Visitor(visit))
        self._close_record(record)
        return found
