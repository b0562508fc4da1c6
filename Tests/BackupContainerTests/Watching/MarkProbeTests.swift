import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The kit removes marks while code runs, and puts them back on items that the code did not save.
@Suite struct MarkProbeTests {
  /// A container with marked items.
  private let container: FakeContainer

  init() throws {
    container = try FakeContainer()
    for directory in ["Library/D", "Library/D/E"] as [ContainerPath] {
      try container.apply(.makeDirectory(directory))
    }
    for file in ["Library/a", "Library/b", "Library/D/c", "Library/D/E/d"] as [ContainerPath] {
      try container.apply(.save(file))
    }
    try container.apply(.mark("Library/a"))
    try container.apply(.mark("Library/D"))
    try container.apply(.mark("Library/D/c"))
    try container.apply(.setMark(.extendedAttribute, on: "Library/b", to: true))
    try container.apply(.mark("Library/b"))
  }

  /// Returns the path and the marks of each marked item.
  private func marks() throws -> [String] {
    var marked: [String] = []
    try container.scan().walk { path, item in
      if !item.marks.isEmpty { marked.append("\(path) \(item.marks)") }
      return true
    }
    return marked
  }

  /// Returns the probe's attributes that are left in the container, and marks with a wrong value.
  private func leftovers() throws -> [String] {
    var found: [String] = []
    let roots = container.roots
    try container.scan().walk { path, item throws(SystemError) in
      let diskPath = DiskPath(path, in: roots)
      for name in ["swift-backup-testing.probe", "swift-backup-testing.probe.attribute"]
      where try diskPath.attribute(name) != nil {
        found.append("\(path) \(name)")
      }
      for mark in ExclusionMark.all where item.marks.contains(mark) {
        let value = try diskPath.attribute(mark.attributeName)
        if value != mark.attributeValue { found.append("\(path) \(mark)") }
      }
      return true
    }
    return found
  }

  private func url(_ path: String) -> URL { container.url.appendingPathComponent(path) }

  @Test(arguments: [true, false])
  func `code that does nothing leaves the marks unchanged, and no probe's attributes`(
    isProbing: Bool
  ) throws {
    let before = try marks()
    #expect(try container.changes(probing: isProbing) {}.isEmpty)
    #expect(try marks() == before)
    #expect(try leftovers().isEmpty)
  }

  @Test func `while code runs, no item is marked`() throws {
    let watch = try container.beginWatching(probing: true)
    #expect(try marks().isEmpty)
    #expect(try !url("Library/a").hasBackupExclusionMark)
    _ = try container.endWatching(watch)
    #expect(try url("Library/a").hasBackupExclusionMark)
  }

  @Test func `without the probe every item stays marked`() throws {
    let before = try marks()
    let watch = try container.beginWatching(probing: false)
    #expect(try marks() == before)
    _ = try container.endWatching(watch)
  }

  @Test func `a file saved in place gets no mark back`() throws {
    let changes = try container.changes(probing: true) {
      try container.apply(.append("Library/a", .text("!")))
      try container.apply(.append("Library/b", .text("!")))
    }
    #expect(changes == [.savedInPlace("Library/a"), .savedInPlace("Library/b")])
    #expect(try marks() == ["Library/D resourceValue", "Library/D/c resourceValue"])
    #expect(try leftovers().isEmpty)
  }

  @Test(arguments: [true, false])
  func `a file saved and marked again stays marked`(isProbing: Bool) throws {
    let changes = try container.changes(probing: isProbing) {
      try container.apply(.append("Library/a", .text("!")))
      try url("Library/a").excludeFromBackup()
    }
    #expect(changes == [.savedInPlace("Library/a"), .marked("Library/a", .resourceValue)])
    #expect(try url("Library/a").hasBackupExclusionMark)
    #expect(try leftovers().isEmpty)
  }

  @Test func `moved items get their marks back at their new paths`() throws {
    let changes = try container.changes(probing: true) {
      try container.apply(.move("Library/D", to: "Library/F", replacing: false))
      try container.apply(.move("Library/a", to: "Documents/a", replacing: false))
    }
    #expect(
      Set(changes) == [
        .moved("Library/D", to: "Library/F"), .moved("Library/a", to: "Documents/a"),
      ])
    #expect(
      try marks() == [
        "Documents/a resourceValue", "Library/F resourceValue", "Library/F/c resourceValue",
        "Library/b resourceValue and extendedAttribute",
      ])
    #expect(try leftovers().isEmpty)
  }

  @Test func `a moved and saved file gets no mark back`() throws {
    let changes = try container.changes(probing: true) {
      try container.apply(.move("Library/a", to: "Documents/a", replacing: false))
      try container.apply(.append("Documents/a", .text("!")))
    }
    #expect(changes == [.moved("Library/a", to: "Documents/a"), .savedInPlace("Documents/a")])
    #expect(try !url("Documents/a").hasBackupExclusionMark)
  }

  @Test func `a copy with all attributes of its original has the same marks`() throws {
    let changes = try container.changes(probing: true) {
      try container.apply(.save("Library/copy"))
      let source = DiskPath("Library/b", in: container.roots)
      let copy = DiskPath("Library/copy", in: container.roots)
      for name in [DiskPath.stampName] + ExclusionMark.all.map(\.probeName) {
        if let value = try source.attribute(name) {
          try copy.setAttribute(name, to: value)
        }
      }
    }
    #expect(changes == [.copied("Library/b", to: "Library/copy")])
    #expect(try marks().filter { $0.hasSuffix("resourceValue and extendedAttribute") }.count == 2)
    #expect(try leftovers().isEmpty)
  }

  @Test func `a directory created again gets no mark back, and neither do its files`() throws {
    let changes = try container.changes(probing: true) {
      try FileManager.default.removeItem(at: url("Library/D"))
      try container.apply(.makeDirectory("Library/D"))
      try container.apply(.save("Library/D/c"))
    }
    #expect(
      changes == [.replaced("Library/D"), .replaced("Library/D/c"), .removed("Library/D/E")])
    #expect(
      try marks() == ["Library/a resourceValue", "Library/b resourceValue and extendedAttribute"])
  }

  @Test func `a directory keeps its mark if a file in it is saved`() throws {
    let changes = try container.changes(probing: true) {
      try container.apply(.save("Library/D/E/d"))
      try container.apply(.save("Library/D/new"))
    }
    #expect(changes == [.replaced("Library/D/E/d"), .created("Library/D/new")])
    #expect(try marks().contains("Library/D resourceValue"))
  }

  @Test func `a cleared mark stays cleared, the other mark stays`() throws {
    let changes = try container.changes(probing: true) {
      try url("Library/b").includeInBackup()
      try url("Library/a").excludeFromBackup()
      try url("Library/a").includeInBackup()
    }
    #expect(
      Set(changes) == [
        .cleared("Library/a", .resourceValue), .cleared("Library/b", .resourceValue),
      ])
    #expect(try marks().contains("Library/b extendedAttribute"))
    #expect(try !url("Library/a").hasBackupExclusionMark)
    #expect(try leftovers().isEmpty)
  }

  @Test(arguments: [true, false])
  func `two hard links keep their one mark`(isProbing: Bool) throws {
    #expect(link(url("Library/a").path, url("Library/a2").path) == 0)
    _ = try container.changes {}
    let before = try marks()
    #expect(before.contains("Library/a2 resourceValue"))
    #expect(try container.changes(probing: isProbing) {}.isEmpty)
    #expect(try marks() == before)
    let changes = try container.changes(probing: true) {
      try container.apply(.append("Library/a", .text("!")))
      #expect(link(url("Library/a").path, url("Library/a3").path) == 0)
    }
    #expect(changes.contains(.savedInPlace("Library/a")))
    #expect(try !url("Library/a3").hasBackupExclusionMark)
    #expect(try leftovers().isEmpty)
  }

  @Test func `a marked file that may not be read any more gets its mark back`() throws {
    let changes = try container.changes(probing: true) {
      #expect(chmod(url("Library/a").path, 0) == 0)
    }
    #expect(changes.isEmpty)
    #expect(chmod(url("Library/a").path, 0o600) == 0)
    #expect(try url("Library/a").hasBackupExclusionMark)
    #expect(try leftovers().isEmpty)
  }

  @Test func `a stamp does not affect comparisons of trees`() throws {
    let unstamped = try container.scan()
    _ = try container.changes {}
    let stamped = try container.scan()
    #expect(stamped["Library/a"]?.stamp != 0)
    #expect(stamped == unstamped)
    #expect(stamped.hashValue == unstamped.hashValue)
  }
}
