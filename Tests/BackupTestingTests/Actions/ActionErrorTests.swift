import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupDevice
@testable import BackupDiagnostics
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// An error that the app's code throws fails its step or breaks a rule.
@Suite struct ActionErrorTests {
  /// An error that only the app knows.
  private struct Oops: Error {}

  @Test func `a thrown error fails the step and ends the run`() async throws {
    let laterCalls = CollectedValues<Int>()
    let run = try await ActionRun(
      ["{ perform: 'a' }", "{ perform: 'b' }"],
      actions: ["a": { _ in throw Oops() }, "b": { _ in laterCalls.add(1) }])
    #expect(run.failure == "the app's code threw: Oops()")
    #expect(run.transcript.failure?.step.position.line == 2)
    #expect(laterCalls.values.isEmpty)
  }

  @Test func `an expected error that is not thrown fails the step`() async throws {
    let run = try await ActionRun(["{ perform: 'a', throws: true }"], actions: ["a": { _ in }])
    #expect(run.failure?.contains("requires it to fail") == true)
  }

  @Test(arguments: ["noSuchFile", "fileExists"])
  func `Foundation's errors have the names that 'throws' knows`(word: String) async throws {
    let actions: AppActions = [
      "noSuchFile": { action in
        try FileManager.default.removeItem(
          at: action.container.documents.appendingPathComponent("x"))
      },
      "fileExists": { action in
        let documents = action.container.documents
        try FileManager.default.createDirectory(
          at: documents, withIntermediateDirectories: false)
      },
    ]
    let expected = try await ActionRun(
      ["{ perform: '\(word)', throws: '\(word)' }"], actions: actions)
    #expect(expected.failure == nil)
    let unexpected = try await ActionRun(
      ["{ perform: '\(word)', throws: 'unavailable' }"], actions: actions)
    #expect(unexpected.failure?.contains("which its 'throws' requires") == true)
  }

  @Test func `a POSIX error and an error of the kit have these names too`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'posix', throws: 'fileExists' }", "{ perform: 'kit', throws: 'noSuchFile' }"],
      actions: [
        "posix": { _ in throw POSIXError(.EEXIST) },
        "kit": { try $0.fake.apply(.remove(try ContainerPath("Documents/x"))) },
      ])
    #expect(run.failure == nil)
  }

  @Test func `changes before the error are seen`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'a', throws: true }", "{ backup: 'one' }"],
      actions: [
        "a": { action in
          try Data([1]).write(to: action.container.documents.appendingPathComponent("half"))
          throw Oops()
        }
      ])
    let set = try #require(run.transcript.entries.compactMap(\.event.backup).first?.contents)
    #expect(set.contains(try ContainerPath("Documents/half")))
  }

  @Test func `a read whose error the app handles breaks nothing`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'read' }", "{ backup: 'one' }"],
      actions: [
        "read": { action in
          _ = try? Data(contentsOf: action.container.documents.appendingPathComponent("x.txt"))
        }
      ])
    #expect(run.findings.isEmpty && run.failure == nil)
  }

  @Test func `a path stored before an update is stale, read or written`() async throws {
    let stored = CollectedValues<URL>()
    let run = try await ActionRun(
      [
        "{ perform: 'store' }", "{ updateApp: '2.0' }", "{ perform: 'read' }",
        "{ perform: 'write' }",
      ],
      actions: [
        "store": { action in
          stored.add(action.container.documents.appendingPathComponent("a.txt"))
          try Data([1]).write(to: stored.values[0])
        },
        "read": { _ in _ = try Data(contentsOf: stored.values[0]) },
        "write": { _ in
          let file = stored.values[0]
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
          try Data([1]).write(to: file)
        },
      ])
    #expect(run.failure == nil)
    #expect(run.broken == ["stale-container-path:4", "stale-container-path:5"])
    #expect(run.findings.allSatisfy { $0.path?.description == "Documents/a.txt" })
  }

  @Test func `a mark on a missing item is found, whether the code throws or not`() async throws {
    let run = try await ActionRun(
      ["{ perform: 'throw' }", "{ perform: 'swallow' }"],
      actions: [
        "throw": {
          try $0.container.library.appendingPathComponent("x").excludeFromBackup()
        },
        "swallow": { action in
          try? action.container.library.appendingPathComponent("y").excludeFromBackup()
        },
      ])
    #expect(run.failure == nil)
    #expect(run.broken == ["exists-before-set:2", "exists-before-set:3"])
  }
}
