import BackupCollections
import BackupDiagnostics
import BackupTesting
import Foundation
import Testing

/// The documentation's examples of containers, trees and simulators. They also run.
@Suite struct RoomExamples {
  /// A container of a new app.
  private let container: FakeContainer
  private let profile: SystemProfile

  init() throws {
    container = try FakeContainer()
    profile = try #require(SystemProfile.newest)
  }

  @Test func `of trees`() throws {
    let before = try container.scan()
    try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
    let after = try container.scan()
    let made = after.paths.filter { !before.contains($0) }.map(\.description)
    #expect(made == ["Documents/note.txt"])
    do {
      let tree = try container.scan()
      #expect(tree[try ContainerPath("Documents/note.txt")]?.size == 5)
    }
    let tree = FileTree.Layout.newlyInstalled.tree
    #expect(tree.contains(try ContainerPath("Library/Caches")))
  }

  @Test func `of operations`() throws {
    do {
      var tree = FileTree.Layout.newlyInstalled.tree
      let notes = try ContainerPath("Documents/notes.txt")
      try tree.apply(.write(notes, .text("hello"), method: .atomically))
      #expect(tree[notes]?.size == 5)
    }
    let notes = try ContainerPath("Documents/notes.txt")
    try container.apply(.write(notes, .text("hello"), method: .atomically))
    try container.apply(.setMark(.resourceValue, on: notes, to: true))
    #expect(try container.scan()[notes]?.marks.contains(.resourceValue) == true)
  }

  @Test func `of marks`() throws {
    do {
      let movie = try ContainerPath("Documents/movie.mp4")
      try container.apply(.write(movie, .zeros(700_000_000), method: .atomically))
    }
    try container.documents.appending(path: "movie.mp4").excludeFromBackup()
    do {
      let movie = container.documents.appending(path: "movie.mp4")
      #expect(try movie.hasBackupExclusionMark)
    }
    let movie = try ContainerPath("Documents/movie.mp4")
    #expect(try container.scan()[movie]?.marks.contains(.resourceValue) == true)
  }

  @Test func `of patterns, versions and searches`() throws {
    let pattern = try PathPattern("Library/**/*.mp4")
    #expect(pattern.matches(try ContainerPath("Library/Movies/1.mp4")))
    #expect(SystemVersion("5.0")?.description == "5.0")
    #expect(SystemVersion("5.0") == SystemVersion("5"))
    #expect(SystemVersion("05") == nil)
    #expect([1, 3, 5, 7].partitioningIndex { $0 >= 4 } == 2)
  }

  @Test func `of simulators`() throws {
    let set = BackupSimulator(profile: profile).backUp(try container.scan())
    #expect(set.leftOutTops.map(\.path.description) == ["Library/Caches", "tmp"])
    #expect(set.decisions.filter { $0.reason == .saveRemnant }.map(\.path.description) == [])

    for path in ["Documents/note.txt", "Library/Caches/thumbnail.png", "tmp/scratch"] {
      try container.apply(.write(ContainerPath(path), .text("x"), method: .atomically))
    }
    let before = try container.scan()
    let after = PurgeSimulator(profile: profile).purge(before, .lowStorage).tree
    let missing = before.itemsMissing(in: after).map(\.path.description)
    #expect(missing == ["Library/Caches/thumbnail.png"])
    let outcome = PurgeSimulator(profile: profile).purge(try container.scan(), .lowStorage)
    #expect(outcome.taken.map(\.path.description) == ["Library/Caches/thumbnail.png"])
  }

  @Test func `of a new device and a new version`() throws {
    var tree = FileTree.Layout.newlyInstalled.tree
    for path in ["Documents/note.txt", "tmp/scratch"] {
      try tree.apply(.write(ContainerPath(path), .text("x"), method: .atomically))
    }
    let set = BackupSimulator(profile: profile).backUp(tree)
    let restored = RestoreSimulator(profile: profile).restore(tree, from: set)
    #expect(restored.contains(try ContainerPath("Documents/note.txt")))
    do {
      let simulator = OffloadSimulator(profile: profile)
      #expect(simulator.offload(tree).contains(try ContainerPath("Documents/note.txt")))
      #expect(!simulator.delete(tree).contains(try ContainerPath("Documents/note.txt")))
    }
    let updated = UpdateSimulator(profile: profile).update(tree)
    #expect(updated.contains(try ContainerPath("Documents/note.txt")))
    #expect(!updated.contains(try ContainerPath("tmp/scratch")))
  }
}
