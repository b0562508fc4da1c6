import CBackupFiles
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The kit sees the changes that code makes with Foundation and the C library.
@Suite struct WatchedCodeTests {
  /// A container with `Documents/a` and a directory `Documents/D` with `b` in it.
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer()
    try Data("one".utf8).write(to: url("Documents/a"))
    try FileManager.default.createDirectory(
      at: url("Documents/D"), withIntermediateDirectories: false)
    try Data("two".utf8).write(to: url("Documents/D/b"))
  }

  private func url(_ path: String) -> URL { container.url.appendingPathComponent(path) }

  @Test func `code that only reads causes no changes`() throws {
    let changes = try container.changes {
      _ = try Data(contentsOf: url("Documents/a"))
      _ = try FileManager.default.contentsOfDirectory(atPath: url("Documents").path)
      _ = try FileManager.default.subpathsOfDirectory(atPath: container.url.path)
      _ = try FileManager.default.attributesOfItem(atPath: url("Documents/a").path)
      _ = try url("Documents/a").hasBackupExclusionMark
      try FileHandle(forReadingFrom: url("Documents/a")).close()
    }
    #expect(changes.isEmpty)
  }

  @Test func `a file written in place with the same number of bytes was saved`() throws {
    let changes = try container.changes { try Data("eno".utf8).write(to: url("Documents/a")) }
    #expect(changes == [.savedInPlace("Documents/a")])
  }

  @Test func `an atomic save replaces the file`() throws {
    let changes = try container.changes {
      try Data("one".utf8).write(to: url("Documents/a"), options: .atomic)
    }
    #expect(changes == [.replaced("Documents/a")])
  }

  @Test func `an appended, a truncated and an updated file were saved in place`() throws {
    for code in [
      { (handle: FileHandle) in
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("!".utf8))
      },
      { (handle: FileHandle) in try handle.truncate(atOffset: 1) },
      { (handle: FileHandle) in try handle.write(contentsOf: Data("x".utf8)) },
    ] {
      let changes = try container.changes {
        let handle = try FileHandle(forUpdating: url("Documents/a"))
        try code(handle)
        try handle.close()
      }
      #expect(changes == [.savedInPlace("Documents/a")])
    }
  }

  @Test func `a file removed and created again was replaced`() throws {
    let changes = try container.changes {
      try FileManager.default.removeItem(at: url("Documents/a"))
      try Data("one".utf8).write(to: url("Documents/a"))
    }
    #expect(changes == [.replaced("Documents/a")])
  }

  @Test func `moved items are followed`() throws {
    let changes = try container.changes {
      try FileManager.default.moveItem(at: url("Documents/a"), to: url("Documents/D/a"))
      try FileManager.default.moveItem(at: url("Documents/D"), to: url("Library/D"))
      try Data("changed".utf8).write(to: url("Library/D/b"))
    }
    #expect(
      changes == [
        .moved("Documents/D", to: "Library/D"), .moved("Documents/a", to: "Library/D/a"),
        .savedInPlace("Library/D/b"),
      ])
  }

  @Test func `a rename over another file is a move`() throws {
    let changes = try container.changes {
      #expect(rename(url("Documents/D/b").path, url("Documents/a").path) == 0)
    }
    #expect(changes == [.moved("Documents/D/b", to: "Documents/a")])
  }

  @Test func `a copied file is a copy or a new file, depending on the platform`() throws {
    let changes = try container.changes {
      try FileManager.default.copyItem(at: url("Documents/a"), to: url("Documents/c"))
    }
    let copied: [FileTree.Change] = [.copied("Documents/a", to: "Documents/c")]
    #expect(changes == copied || changes == [.created("Documents/c")])
  }

  @Test func `a change of permissions is no save`() throws {
    let changes = try container.changes {
      #expect(chmod(url("Documents/a").path, 0o600) == 0)
      #expect(chmod(url("Documents/D").path, 0o700) == 0)
    }
    #expect(changes.isEmpty)
  }

  @Test func `a save is seen although the app sets an older date`() throws {
    let changes = try container.changes {
      try Data("new".utf8).write(to: url("Documents/a"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)],
        ofItemAtPath: url("Documents/a").path)
    }
    #expect(changes == [.savedInPlace("Documents/a")])
  }

  @Test func `a second hard link is a copy, and causes no further changes`() throws {
    let linked = try container.changes {
      #expect(link(url("Documents/a").path, url("Documents/h").path) == 0)
    }
    #expect(linked == [.copied("Documents/a", to: "Documents/h")])
    #expect(try container.changes {}.isEmpty)
    let savedThroughLink = try container.changes {
      try Data("longer".utf8).write(to: url("Documents/h"))
    }
    #expect(savedThroughLink == [.savedInPlace("Documents/a"), .savedInPlace("Documents/h")])
  }

  @Test func `a link is made, changed and removed`() throws {
    let path = url("Documents/l").path
    let created = try container.changes { #expect(symlink("a", path) == 0) }
    #expect(created == [.created("Documents/l")])
    let changed = try container.changes {
      #expect(unlink(path) == 0)
      #expect(symlink("D", path) == 0)
    }
    #expect(changed == [.replaced("Documents/l")])
    let removed = try container.changes { #expect(unlink(path) == 0) }
    #expect(removed == [.removed("Documents/l")])
  }

  @Test func `a read-only file is watched, and keeps its permissions and mark`() throws {
    let file = url("Documents/a")
    try file.excludeFromBackup()
    #expect(chmod(file.path, 0o444) == 0)
    for isProbing in [true, false] {
      #expect(try container.changes(probing: isProbing) {}.isEmpty)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o444)
      #expect(try file.hasBackupExclusionMark)
    }
  }

  @Test func `the wait for a file dated in the future is limited`() throws {
    #expect(cfs_set_modified(url("Documents/a").path, .max / 2) == 0)
    let changes = try container.changes { try Data("two!".utf8).write(to: url("Documents/D/b")) }
    #expect(changes == [.savedInPlace("Documents/D/b")])
    try container.deviceFolder.waitUntilPast(.max)
    let names = try FileManager.default.contentsOfDirectory(atPath: container.deviceURL.path)
    #expect(Set(names) == [container.url.lastPathComponent, DeviceFolder.clockFileName])
  }
}
