import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupFileTree

/// The examples in the documentation of containers, trees and simulators: they do what they say.
@Suite struct SymbolExampleTests {
  @Test func `of trees and operations`() throws {
    let container = try FakeContainer()
    let before = try container.scan()
    try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
    let after = try container.scan()
    #expect(
      after.paths.filter { !before.contains($0) }.map(\.description) == ["Documents/note.txt"])
    #expect(after[try ContainerPath("Documents/note.txt")]?.size == 5)

    var tree = FileTree.Layout.newlyInstalled.tree
    #expect(tree.contains(try ContainerPath("Library/Caches")))
    let notes = try ContainerPath("Documents/notes.txt")
    try tree.perform(.write(notes, .text("hello"), method: .atomically))
    #expect(tree[notes]?.size == 5)
    try container.perform(.write(notes, .text("hello"), method: .atomically))
    try container.perform(.setMark(.resourceValue, on: notes, to: true))
    #expect(try container.scan()[notes]?.marks.contains(.resourceValue) == true)
  }

  @Test func `of marks`() throws {
    let container = try FakeContainer()
    let movie = try ContainerPath("Documents/movie.mp4")
    try container.perform(.write(movie, .zeros(700_000_000), method: .atomically))
    let url = container.documents.appending(path: "movie.mp4")
    #expect(try !url.hasBackupExclusionMark)
    try url.setBackupExclusionMark(true)
    #expect(try url.hasBackupExclusionMark)
    #expect(try container.scan()[movie]?.marks.contains(.resourceValue) == true)
  }

  @Test func `of patterns and versions`() throws {
    let pattern = try PathPattern("Library/**/*.mp4")
    #expect(pattern.matches(try ContainerPath("Library/Movies/1.mp4")))
    #expect(SystemVersion("5.0")?.description == "5.0")
    #expect(SystemVersion("5.0") == SystemVersion("5"))
    #expect(SystemVersion("05") == nil)
  }

  @Test func `of simulators`() throws {
    let profile = try #require(SystemProfile.newest)
    let fresh = BackupSimulator(profile: profile).backUp(FileTree.Layout.newlyInstalled.tree)
    #expect(fresh.leftOutTops.map(\.path.description) == ["Library/Caches", "tmp"])

    var tree = FileTree.Layout.newlyInstalled.tree
    for path in ["Documents/note.txt", "Library/Caches/thumbnail.png", "tmp/scratch"] {
      try tree.perform(.write(ContainerPath(path), .text("x"), method: .atomically))
    }
    let outcome = PurgeSimulator(profile: profile).purge(tree, .lowStorage)
    #expect(outcome.taken.map(\.path.description) == ["Library/Caches/thumbnail.png"])
    #expect(
      tree.itemsMissing(in: outcome.tree).map(\.path.description)
        == ["Library/Caches/thumbnail.png"])

    let set = BackupSimulator(profile: profile).backUp(tree)
    let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
    #expect(restored.contains(try ContainerPath("Documents/note.txt")))
    let updated = UpdateSimulator(profile: profile).update(tree)
    #expect(updated.contains(try ContainerPath("Documents/note.txt")))
    #expect(!updated.contains(try ContainerPath("tmp/scratch")))
  }
}
