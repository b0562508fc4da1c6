import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupRules
@testable import BackupScenarios

/// The app's own code on systems that do not have the resource value.
@Suite struct UnavailableMarkTests {
  /// Steps that perform the app's code and take a backup.
  private static let steps = ["{ perform: 'save' }", "{ backup: 'one' }"]

  /// Saves a file and marks it in app code. Returns the broken rules, and the failure of the run.
  private func broken(
    on system: String, at place: String = "Library/com.example.app.dat",
    marking mark: @escaping @Sendable (URL, FakeContainer) throws -> Void
  ) async throws -> [String] {
    let run = try await ActionRun(
      Self.steps,
      actions: [
        "save": { action in
          let file = action.container.url.appendingPathComponent(place)
          try Data([1]).write(to: file)
          try mark(file, action.fake)
        }
      ], head: "system: '\(system)', files: { 'Library/**': 'support' },")
    return run.broken + [run.failure].compactMap(\.self)
  }

  /// Sets the attribute of iOS 5.0.1.
  private static func setAttribute(on file: URL, in container: FakeContainer) throws {
    let path = try ContainerPath("Library/\(file.lastPathComponent)")
    try container.apply(.setMark(.extendedAttribute, on: path, to: true))
  }

  @Test(arguments: ["5.0", "5.0.1"])
  func `code that sets the resource value and throws the error is found`(system: String)
    async throws
  {
    #expect(
      try await broken(on: system) { file, _ in try file.excludeFromBackup() }
        == ["mark-unavailable:2"])
  }

  @Test(arguments: ["5.0", "5.0.1"])
  func `code that sets the resource value and ignores the error is found, once`(system: String)
    async throws
  {
    #expect(
      try await broken(on: system) { file, _ in try? file.excludeFromBackup() }
        == ["mark-unavailable:2"])
  }

  @Test func `code that falls back to the attribute is right on 5.0.1`() async throws {
    #expect(
      try await broken(on: "5.0.1") { file, container in
        do {
          try file.excludeFromBackup()
        } catch CocoaError.featureUnsupported {
          try Self.setAttribute(on: file, in: container)
        }
      } == [])
  }

  @Test(arguments: ["5.0.1", "5.1", "18"])
  func `code that sets both marks is right on each system`(system: String) async throws {
    #expect(
      try await broken(on: system) { file, container in
        try Self.setAttribute(on: file, in: container)
        try? file.excludeFromBackup()
      } == [])
  }

  @Test func `on 5.0 both marks have no effect, and only the backed up data is found`() async throws
  {
    #expect(
      try await broken(on: "5.0") { file, container in
        try Self.setAttribute(on: file, in: container)
        try? file.excludeFromBackup()
      } == ["recreatable-data-backed-up:2"])
  }

  @Test func `a file in Caches needs no mark`() async throws {
    let found = try await broken(on: "5.0", at: "Library/Caches/a") { file, _ in
      try? file.excludeFromBackup()
    }
    #expect(!found.contains { $0.hasPrefix("mark-unavailable") })
  }

  @Test func `code that sets the attribute and then throws fails the step`() async throws {
    let found = try await broken(on: "5.0.1") { file, container in
      try Self.setAttribute(on: file, in: container)
      try file.excludeFromBackup()
    }
    #expect(found.first?.hasPrefix("the app's code threw: ") == true)
  }

  @Test func `a step may expect that the mark is unavailable`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'mark', throws: 'unavailable' }"],
      actions: ["mark": { try $0.container.library.excludeFromBackup() }],
      head: "system: '5.0.1',")
    #expect(run.failure == nil && run.findings.isEmpty)
  }

  @Test func `clearing the mark fails too, but is no finding`() async throws {
    #expect(
      try await broken(on: "5.0.1") { file, container in
        #expect(throws: CocoaError.self) { try file.includeInBackup() }
        try Self.setAttribute(on: file, in: container)
      } == [])
  }

  @Test func `the mark can be set after an update of iOS`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'mark' }", "{ updateSystem: '5.1' }", "{ perform: 'mark' }", "{ backup: 'b' }"],
      actions: [
        "mark": { action in
          let file = action.container.library.appendingPathComponent("com.example.app.dat")
          try Data([1]).write(to: file)
          try file.excludeFromBackup()
        }
      ], head: "system: '5.0.1',")
    #expect(run.broken == ["mark-unavailable:2"])
    #expect(run.transcript.lastTree.marks(of: "Library/com.example.app.dat") == .resourceValue)
  }

  @Test func `an action learns the system that the device has`() async throws {
    let systems = CollectedValues<SystemVersion?>()
    _ = try await ActionRun(
      ["{ perform: 'note' }", "{ updateSystem: '18' }", "{ perform: 'note' }"],
      actions: [
        "note": { action in
          systems.add(action.system)
          systems.add(try action.fake.system)
        }
      ], head: "system: '5.0.1',")
    let expected = ["5.0.1", "5.0.1", "18", "18"].map(SystemVersion.init)
    #expect(systems.values == expected)
  }

  @Test(.container(system: "5.0.1")) func `a test with the trait learns the system too`()
    async throws
  {
    let container = try FakeContainer.current
    #expect(container.system == SystemVersion("5.0.1"))
    let file = container.library.appendingPathComponent("com.example.app.dat")
    try await container.perform("save") {
      try Data([1]).write(to: file)
      try? file.excludeFromBackup()
    }
    #expect(try container.findings().map(\.rule) == ["mark-unavailable"])
    try container.updateSystem(to: "5.1")
    #expect(container.system == SystemVersion("5.1"))
    try file.excludeFromBackup()
    #expect(try file.hasBackupExclusionMark)
  }

  @Test func `a container without a trait has all marks, and no system yet`() throws {
    let container = try FakeContainer()
    #expect(container.system == nil)
    try container.library.excludeFromBackup()
    #expect(try container.library.hasBackupExclusionMark)
  }
}

extension FileTree {
  /// Returns the marks on an item; nil if there is no item.
  fileprivate func marks(of path: String) -> ExclusionMark? {
    (try? ContainerPath(path)).flatMap { self[$0]?.marks }
  }
}
