import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// A tree that the kit changes along with the disk equals a new scan of the disk.
@Suite struct TreeInMemoryTests {
  /// Expects that a tree equals the container on disk, stamps included.
  private func expectTreeAsOnDisk(
    _ tree: FileTree, _ container: FakeContainer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try container.scan()
    #expect(tree == found, sourceLocation: sourceLocation)
    tree.walk { path, item in
      let observation = found[path]?.observation
      #expect(item.stamp == observation?.identity, "\(path)", sourceLocation: sourceLocation)
      #expect(item.observation.inode == observation?.inode, sourceLocation: sourceLocation)
      #expect(item.observation.modified == observation?.modified, sourceLocation: sourceLocation)
      return true
    }
  }

  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `the tree of a trace has the new stamps and the restored marks`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    for number in 1...6 {
      let isProbing = Bool.random(using: &random)
      let watch = try container.beginWatching(probing: isProbing)
      if !isProbing { try expectTreeAsOnDisk(watch.snapshot.tree, container) }
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        let operation = FileOperation.random(using: &random)
        _ = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
      }
      link(container.url.path + "/Documents/a", container.url.path + "/tmp/link \(number)")
      try expectTreeAsOnDisk(try container.endWatching(watch).tree, container)
    }
    try container.remove()
  }

  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `the tree of a trace has the contents of the files`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    func applyRandomOperations(_ maximumCount: Int) {
      for _ in 0..<Int.random(in: 0...maximumCount, using: &random) {
        let operation = FileOperation.random(using: &random)
        _ = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
      }
    }
    var known = FileTree()
    for _ in 1...8 {
      applyRandomOperations(3)
      let watch = try container.beginWatching(probing: Bool.random(using: &random))
      applyRandomOperations(15)
      known = try container.endWatching(watch, known: known).tree
      let fresh = try container.addingChecksums(to: container.scan(), known: FileTree())
      known.walk { path, _ in
        let (file, expected) = (known.fileInformation(at: path), fresh.fileInformation(at: path))
        #expect(file?.checksum == expected?.checksum, "\(path)")
        #expect(file?.details?.values == expected?.details?.values, "\(path)")
        return true
      }
    }
    try container.remove()
  }

  @Test func `a file renamed over another file with the same size and date keeps its contents`()
    throws
  {
    let container = try FakeContainer()
    defer { try? container.remove() }
    let (log, formerLog) = (
      container.documents.appending(path: "log"), container.documents.appending(path: "log.1")
    )
    for (file, text) in [(formerLog, "Day 1"), (log, "Day 2")] {
      try Data(text.utf8).write(to: file)
      let date = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }
    let earlierTree = try container.endWatching(try container.beginWatching(probing: true)).tree
    let watch = try container.beginWatching(probing: true)
    #expect(rename(log.path, formerLog.path) == 0)
    let latestTree = try container.endWatching(watch, known: earlierTree).tree
    let contents = earlierTree.fileInformation(at: "Documents/log")?.checksum
    #expect(
      contents?.isKnown == true
        && latestTree.fileInformation(at: "Documents/log.1")?.checksum == contents)
  }

  @Test func `a new file with the size and date of the former file has contents of its own`() throws
  {
    let container = try FakeContainer()
    defer { try? container.remove() }
    let file = container.documents.appending(path: "log")
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: file, options: .atomic)
      let date = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }
    try write("Day 1")
    let earlierTree = try container.endWatching(try container.beginWatching(probing: true)).tree
    let watch = try container.beginWatching(probing: true)
    try write("Day 2")
    let latestTree = try container.endWatching(watch, known: earlierTree).tree
    #expect(
      latestTree.fileInformation(at: "Documents/log")?.checksum
        == ContentsChecksum(.bytes(Array("Day 2".utf8))))
  }

  @Test func `two names of one file get one stamp`() throws {
    let container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    let file = container.documents.path
    #expect(link("\(file)/a", "\(file)/b") == 0)
    let before = try container.beginWatching(probing: false).snapshot.tree
    #expect(before["Documents/a"]?.stamp != 0)
    #expect(before["Documents/a"]?.stamp == before["Documents/b"]?.stamp)
    try expectTreeAsOnDisk(before, container)
  }

  @Test(arguments: [true, false])
  func `a change since a known tree is in the next trace`(isProbing: Bool) throws {
    let container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    try container.apply(.mark("Documents/a"))
    let first = try container.endWatching(try container.beginWatching(probing: true))
    try container.apply(.save("Documents/b"))
    let watch = try container.beginWatching(probing: isProbing, reusing: first.tree)
    #expect(!watch.snapshot.tree.contains("Documents/b"))
    let second = try container.endWatching(watch)
    #expect(second.changes == [.created("Documents/b")])
    try expectTreeAsOnDisk(second.tree, container)
    try container.remove()
  }
}
