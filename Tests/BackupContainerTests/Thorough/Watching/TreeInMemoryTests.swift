import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// A tree that was changed along with the disk is what reading the disk again would find.
@Suite struct TreeInMemoryTests {
  /// Requires that a tree says of each item what the disk does, its stamp included.
  private func expectAsOnDisk(
    _ tree: FileTree, _ container: FakeContainer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try container.scan()
    #expect(tree == found, sourceLocation: sourceLocation)
    tree.walk { path, item in
      let observation = found[path]?.observation
      #expect(item.identity == observation?.identity, "\(path)", sourceLocation: sourceLocation)
      #expect(item.observation.inode == observation?.inode, sourceLocation: sourceLocation)
      #expect(item.observation.modified == observation?.modified, sourceLocation: sourceLocation)
      return true
    }
  }

  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `a look knows the stamps that it wrote and the marks that it put back`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    for number in 1...6 {
      let isProbing = Bool.random(using: &random)
      let watch = try container.beginWatching(probing: isProbing)
      if !isProbing { try expectAsOnDisk(watch.snapshot.tree, container) }
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        let operation = FileOperation.random(using: &random)
        _ = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
      }
      link(container.url.path + "/Documents/a", container.url.path + "/tmp/link \(number)")
      try expectAsOnDisk(try container.endWatching(watch).tree, container)
    }
    try container.remove()
  }

  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `what a look knows of contents is what the files hold`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    func change(_ most: Int) {
      for _ in 0..<Int.random(in: 0...most, using: &random) {
        let operation = FileOperation.random(using: &random)
        _ = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
      }
    }
    var known = FileTree()
    for _ in 1...8 {
      change(3)
      let watch = try container.beginWatching(probing: Bool.random(using: &random))
      change(15)
      known = try container.endWatching(watch, known: known).tree
      let fresh = try container.summed(container.scan(), known: FileTree())
      known.walk { path, _ in
        let (file, expected) = (known.file(at: path), fresh.file(at: path))
        #expect(file?.contents == expected?.contents, "\(path)")
        #expect(file?.details?.values == expected?.details?.values, "\(path)")
        return true
      }
    }
    try container.remove()
  }

  @Test func `a file that is renamed over one of its size and date has its own contents`() throws {
    let container = try FakeContainer()
    defer { try? container.remove() }
    let (log, former) = (
      container.documents.appending(path: "log"), container.documents.appending(path: "log.1")
    )
    for (file, text) in [(former, "Day 1"), (log, "Day 2")] {
      try Data(text.utf8).write(to: file)
      let date = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }
    let known = try container.endWatching(try container.beginWatching(probing: true)).tree
    let watch = try container.beginWatching(probing: true)
    #expect(rename(log.path, former.path) == 0)
    let now = try container.endWatching(watch, known: known).tree
    let contents = known.file(at: "Documents/log")?.contents
    #expect(contents?.isKnown == true && now.file(at: "Documents/log.1")?.contents == contents)
  }

  @Test func `two names of one file get one stamp`() throws {
    let container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    let file = container.documents.path
    #expect(link("\(file)/a", "\(file)/b") == 0)
    let before = try container.beginWatching(probing: false).snapshot.tree
    #expect(before["Documents/a"]?.identity != 0)
    #expect(before["Documents/a"]?.identity == before["Documents/b"]?.identity)
    try expectAsOnDisk(before, container)
  }

  @Test(arguments: [true, false])
  func `what happened since a look that is handed on is seen by the next`(isProbing: Bool) throws {
    let container = try FakeContainer()
    try container.apply(.save("Documents/a"))
    try container.apply(.mark("Documents/a"))
    let first = try container.endWatching(try container.beginWatching(probing: true))
    try container.apply(.save("Documents/b"))
    let watch = try container.beginWatching(probing: isProbing, in: first.tree)
    #expect(!watch.snapshot.tree.contains("Documents/b"))
    let second = try container.endWatching(watch)
    #expect(second.changes == [.created("Documents/b")])
    try expectAsOnDisk(second.tree, container)
    try container.remove()
  }
}
