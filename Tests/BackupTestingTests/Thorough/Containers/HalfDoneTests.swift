import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// What a session knows of a call that fails half-way.
@Suite struct HalfDoneTests {
  /// Adds a link that no volume takes: its target is too long.
  @Sendable private static func spoil(_ tree: FileTree) -> FileTree {
    adding(["Library/link"], target: Array(repeating: 120, count: 100_000), to: tree)
  }

  /// Adds two names that a Mac's volume takes for one, so that nothing is done there.
  @Sendable private static func spoilForMac(_ tree: FileTree) -> FileTree {
    adding(["Library/link", "Library/LINK"], target: [120], to: tree)
  }

  /// A tree with links added to it.
  private static func adding(_ paths: [String], target: [UInt8], to tree: FileTree) -> FileTree {
    var tree = tree
    for path in paths {
      guard let path = try? ContainerPath(path),
        tree.insert(FileTree.Item(.link(target: target)), at: path)
      else { return FileTree() }
    }
    return tree
  }

  /// The functions that act for the system, all of which stumble over the disk.
  private static func stumbling(
    by spoil: @escaping @Sendable (FileTree) -> FileTree
  ) -> Simulators {
    var device = Simulators.standard
    let (purge, update, restore) = (device.purge, device.update, device.restore)
    device.purge = { spoil(purge($0, $1, $2)) }
    device.update = { spoil(update($0, $1, $2, $3)) }
    device.restore = { spoil(restore($0, $1, $2)) }
    return device
  }

  /// A container with a file in each place.
  private let container: FakeContainer
  private let session: ContainerSession

  init() throws {
    try self.init(on: nil, spoiling: Self.spoil)
  }

  /// A container on a volume, where whatever the system does is spoilt.
  private init(
    on traits: VolumeTraits?, spoiling spoil: @escaping @Sendable (FileTree) -> FileTree
  ) throws {
    container = try FakeContainer(traits: traits)
    var configuration = SessionConfiguration(profile: try #require(SystemProfile.newest))
    configuration.files = try FilePromises(["**": .offline])
    session = try ContainerSession(
      container, configuration, simulators: Self.stumbling(by: spoil), at: .unknown)
    container.storedSession.withLock { [session] in $0 = session }
    try Data("old".utf8).write(to: container.documents.appendingPathComponent("a"))
    try container.documents.appendingPathComponent("a").excludeFromBackup()
    try Data(count: 5).write(to: container.caches.appendingPathComponent("b"))
  }

  /// What the app is said to have changed after a number of entries.
  private func changes(after count: Int) throws -> [FileTree.Change] {
    try session.transcript().entries.dropFirst(count).flatMap { entry -> [FileTree.Change] in
      if case .changes(let changes) = entry.event { changes } else { [] }
    }
  }

  @Test func `a restore is in the transcript, and the app has removed nothing`() throws {
    let backup = try container.backUp()
    let error = #expect(throws: RunError.self) { try container.restore(from: backup) }
    #expect(error?.code == .containerUnavailable)
    let entries = try session.transcript().entries
    let index = try #require(entries.lastIndex { $0.event.isBySystem })
    guard case .system(.restore, let missing) = entries[index].event else {
      Issue.record("the last thing was no restore")
      return
    }
    #expect(missing.map(\.path.string).contains("Documents/a"))
    #expect(entries[index].tree == (try container.scan()))
    #expect(try changes(after: index).isEmpty)
  }

  @Test func `a purge is in the transcript, with what went`() throws {
    #expect(throws: RunError.self) { try container.purge() }
    let entries = try session.transcript().entries
    let index = try #require(entries.lastIndex { $0.event.isBySystem })
    guard case .system(.purge, let taken) = entries[index].event else {
      Issue.record("the last thing was no purge")
      return
    }
    #expect(taken.map(\.path.string) == ["Library/Caches/b"])
    #expect(try changes(after: index).isEmpty)
  }

  @Test func `an update is in the transcript, and the session goes on at the new path`() throws {
    let before = container.url
    #expect(throws: RunError.self) { try container.updateApp(to: "3.0") }
    #expect(container.url != before)
    let index = try #require(try session.transcript().entries.lastIndex { $0.event.isBySystem })
    try Data("new".utf8).write(to: container.documents.appendingPathComponent("c"))
    #expect(try changes(after: index).map(\.path.string) == ["Documents/c"])
    #expect(try container.backUp().files.contains("Documents/c"))
  }

  /// The latest thing that the system did where the volume refused all of it.
  private static func refused(
    _ act: (HalfDoneTests) throws -> Void
  ) throws -> Transcript.Event {
    let mac = try HalfDoneTests(on: .usualOnMac, spoiling: Self.spoilForMac)
    #expect(throws: RunError.self) { try act(mac) }
    let latest = try mac.session.transcript().systemEntries.last
    return try #require(latest).event
  }

  @Test func `a purge of which nothing was done took nothing`() throws {
    guard case .system(.purge, let taken) = try Self.refused({ try $0.container.purge() }) else {
      Issue.record("the last thing was no purge")
      return
    }
    #expect(taken.isEmpty)
  }

  @Test func `an update of which nothing was done lost nothing`() throws {
    let event = try Self.refused { tests in
      let container = tests.container
      try Data(count: 5).write(to: container.temporary.appendingPathComponent("c"))
      try container.updateApp()
    }
    guard case .system(.appUpdate, let lost) = event else {
      Issue.record("the last thing was no update")
      return
    }
    #expect(lost.isEmpty)
  }

  @Test func `a restore of which nothing was done lacks everything`() throws {
    let event = try Self.refused { try $0.container.restore(from: $0.container.backUp()) }
    guard case .system(.restore(let backup), let missing) = event else {
      Issue.record("the last thing was no restore")
      return
    }
    #expect(missing == backup.tree.itemsMissing(in: FileTree()))
  }
}
