import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// A session records the calls that fail half-way.
@Suite struct HalfDoneTests {
  /// Returns a tree with a link that no volume accepts, because its target is too long.
  @Sendable private static func addingLongLink(_ tree: FileTree) -> FileTree {
    adding(["Library/link"], target: Array(repeating: 120, count: 100_000), to: tree)
  }

  /// Returns a tree with two names that a Mac's volume treats as one, so that it refuses the whole
  /// tree.
  @Sendable private static func addingTwinNames(_ tree: FileTree) -> FileTree {
    adding(["Library/link", "Library/LINK"], target: [120], to: tree)
  }

  /// Returns a tree with additional links.
  private static func adding(_ paths: [String], target: [UInt8], to tree: FileTree) -> FileTree {
    var tree = tree
    for path in paths {
      guard let path = try? ContainerPath(path),
        tree.insert(FileTree.Item(.link(target: target)), at: path)
      else { return FileTree() }
    }
    return tree
  }

  /// Returns simulators whose results the disk cannot completely accept.
  private static func failingSimulators(
    by damage: @escaping @Sendable (FileTree) -> FileTree
  ) -> Simulators {
    var device = Simulators.standard
    let (purge, update, restore) = (device.purge, device.update, device.restore)
    device.purge = { damage(purge($0, $1, $2)) }
    device.update = { damage(update($0, $1, $2, $3)) }
    device.restore = { damage(restore($0, $1, $2)) }
    return device
  }

  /// A container with a file in each place.
  private let container: FakeContainer
  private let session: ContainerSession

  init() throws {
    try self.init(on: nil, spoiling: Self.addingLongLink)
  }

  /// Creates a container on a volume that cannot completely accept the results of iOS.
  private init(
    on traits: VolumeTraits?, spoiling damage: @escaping @Sendable (FileTree) -> FileTree
  ) throws {
    container = try FakeContainer(traits: traits)
    var configuration = SessionConfiguration(profile: try #require(SystemProfile.newest))
    configuration.files = try FilePromises(["**": .offline])
    session = try ContainerSession(
      container, configuration, simulators: Self.failingSimulators(by: damage), at: .unknown)
    container.storedSession.withLock { [session] in $0 = session }
    try Data("old".utf8).write(to: container.documents.appendingPathComponent("a"))
    try container.documents.appendingPathComponent("a").excludeFromBackup()
    try Data(count: 5).write(to: container.caches.appendingPathComponent("b"))
  }

  /// Returns the app's changes after the first `count` entries of the transcript.
  private func changes(after count: Int) throws -> [FileTree.Change] {
    try session.transcript().entries.dropFirst(count).flatMap { entry -> [FileTree.Change] in
      if case .changes(let changes) = entry.event { changes } else { [] }
    }
  }

  @Test func `a failed restore is in the transcript, and the app has removed nothing`() throws {
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

  @Test func `a failed purge is in the transcript, with the purged items`() throws {
    #expect(throws: RunError.self) { try container.purge() }
    let entries = try session.transcript().entries
    let index = try #require(entries.lastIndex { $0.event.isBySystem })
    guard case .system(.purge, let purged) = entries[index].event else {
      Issue.record("the last thing was no purge")
      return
    }
    #expect(purged.map(\.path.string) == ["Library/Caches/b"])
    #expect(try changes(after: index).isEmpty)
  }

  @Test func `a failed update is in the transcript, and the session continues at the new path`()
    throws
  {
    let before = container.url
    #expect(throws: RunError.self) { try container.updateApp(to: "3.0") }
    #expect(container.url != before)
    let index = try #require(try session.transcript().entries.lastIndex { $0.event.isBySystem })
    try Data("new".utf8).write(to: container.documents.appendingPathComponent("c"))
    #expect(try changes(after: index).map(\.path.string) == ["Documents/c"])
    #expect(try container.backUp().files.contains("Documents/c"))
  }

  /// Makes iOS act on a volume that refuses the result completely, and returns the event.
  private static func refusedEvent(
    _ act: (HalfDoneTests) throws -> Void
  ) throws -> Transcript.Event {
    let mac = try HalfDoneTests(on: .usualOnMac, spoiling: Self.addingTwinNames)
    #expect(throws: RunError.self) { try act(mac) }
    let latest = try mac.session.transcript().systemEntries.last
    return try #require(latest).event
  }

  @Test func `a refused purge has purged nothing`() throws {
    guard case .system(.purge, let purged) = try Self.refusedEvent({ try $0.container.purge() })
    else {
      Issue.record("the last thing was no purge")
      return
    }
    #expect(purged.isEmpty)
  }

  @Test func `a refused update has lost nothing`() throws {
    let event = try Self.refusedEvent { tests in
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

  @Test func `a refused restore lacks all items`() throws {
    let event = try Self.refusedEvent { try $0.container.restore(from: $0.container.backUp()) }
    guard case .system(.restore(let backup), let missing) = event else {
      Issue.record("the last thing was no restore")
      return
    }
    #expect(missing == backup.tree.itemsMissing(in: FileTree()))
  }
}
