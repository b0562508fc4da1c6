import BackupFileTree
import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// Whatever an app changes, going back leads to the saved items.
@Suite struct `Going back after random changes` {
  @Test(arguments: Thoroughness.seeds(4, of: 200))
  func `returns all items with contents, marks, dates and permissions`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer(groups: ["group.com.example.app"])
    var copies: [(saved: SavedContainer, items: [String])] = []
    for _ in 0..<12 {
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let operation = FileOperation.random(using: &random)
        _ = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
        try changeItem(of: container, &random)
      }
      copies.append((try container.save(), try items(of: container)))
      let copy = try #require(copies.randomElement(using: &random))
      try container.goBack(to: copy.saved)
      #expect(try items(of: container) == copy.items)
    }
    for copy in copies.shuffled(using: &random) {
      try container.goBack(to: copy.saved)
      #expect(try items(of: container) == copy.items)
    }
  }

  /// Changes the permissions, the date, an attribute or a byte of a random item.
  private func changeItem(
    of container: FakeContainer, _ random: inout SeededGenerator
  ) throws {
    let paths = Array(try container.scan().paths(from: nil))
    guard let path = paths.randomElement(using: &random) else { return }
    let item = DiskPath(path, in: container.roots)
    guard let status = try item.status(), status.kind != Int32(CFS_LINK.rawValue) else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: try item.setPermissions(status.isDirectory ? 0o700 : 0o600)
    case 1:
      try item.inDirectory { directory, name throws(SystemError) in
        try directory.setModificationDate(1_000_000_000, of: name)
      }
    case 2: try item.setAttribute("com.example.attribute", to: [1])
    case 3 where status.isDirectory:
      _ = link(item.string + "/a", item.string + "/second")
    case 4 where !status.isDirectory && status.size > 0:
      try item.withFile(O_WRONLY) { file throws(SystemError) in try file.write([7], at: 0) }
      try item.inDirectory { directory, name throws(SystemError) in
        try directory.setModificationDate(status.modified, of: name)
      }
    default: break
    }
  }

  /// Describes each item: path, status, marks and contents.
  private func items(of container: FakeContainer) throws -> [String] {
    try container.scan().paths(from: nil).map { path in
      let item = DiskPath(path, in: container.roots)
      let status = try #require(try item.status())
      var text = "\(path) \(status.kind) \(try item.attributes())"
      if (try? item.linkTarget()) == nil {
        text += " \(status.permissions) \(status.modified)"
        if !status.isDirectory { text += " \(try item.bytesIfPresent() ?? [])" }
      }
      return text
    }
  }
}
