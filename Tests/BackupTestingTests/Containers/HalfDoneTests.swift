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
  /// A link that no volume takes: its target is too long.
  private static func spoil(_ tree: FileTree) -> FileTree {
    var tree = tree
    guard let path = try? ContainerPath("Library/link") else { return tree }
    let link = FileTree.Item(.link(target: Array(repeating: 120, count: 100_000)))
    return tree.insert(link, at: path) ? tree : FileTree()
  }

  /// The functions that act for the system, all of which stumble over the disk.
  private static var stumbling: RunBehaviour {
    var device = RunBehaviour.standard
    let (purge, update, restore) = (device.purge, device.update, device.restore)
    device.purge = { tree, profile, pressure in
      let outcome = purge(tree, profile, pressure)
      return PurgeSimulator.Outcome(tree: spoil(outcome.tree), taken: outcome.taken)
    }
    device.update = { spoil(update($0, $1, $2)) }
    device.restore = { spoil(restore($0, $1, $2)) }
    return device
  }

  /// A container with a file in each place.
  private let container: FakeContainer
  /// Its session.
  private let session: ContainerSession

  init() throws {
    container = try FakeContainer()
    var configuration = SessionConfiguration(profile: try #require(SystemProfile.newest))
    configuration.files = try FilePromises(["**": .offline])
    session = try ContainerSession(
      container, configuration, device: Self.stumbling, at: .unknown)
    container.companion.withLock { [session] in $0 = session }
    try Data("old".utf8).write(to: container.documents.appendingPathComponent("a"))
    try container.documents.appendingPathComponent("a").setBackupExclusionMark(true)
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
    #expect(error?.underlyingError is FakeContainerError)
    let entries = try session.transcript().entries
    let index = try #require(entries.lastIndex { $0.event.isBySystem })
    guard case .restore(_, let missing) = entries[index].event else {
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
    guard case .purge(_, let taken) = entries[index].event else {
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
}
