import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// Foundation's calls that read a missing item.
@Suite struct MissingReadTests {
  struct ReadCall: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (URL) throws -> Void
  }

  static let readCalls = [
    ReadCall(testDescription: "Data") { _ = try Data(contentsOf: $0) },
    ReadCall(testDescription: "Data, mapped") {
      _ = try Data(contentsOf: $0, options: .mappedIfSafe)
    },
    ReadCall(testDescription: "String") { _ = try String(contentsOf: $0, encoding: .utf8) },
    ReadCall(testDescription: "contentsOfDirectory(at:)") {
      _ = try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    },
    ReadCall(testDescription: "contentsOfDirectory(atPath:)") {
      _ = try FileManager.default.contentsOfDirectory(atPath: $0.path)
    },
    ReadCall(testDescription: "attributesOfItem") {
      _ = try FileManager.default.attributesOfItem(atPath: $0.path)
    },
  ]

  @Test(arguments: readCalls)
  func `each breaks exists-before-use with the item's path`(readCall: ReadCall) async throws {
    let run = try await ActionRun(
      ["{ perform: 'read' }"],
      actions: [
        "read": { try readCall.read($0.container.library.appendingPathComponent("no such")) }
      ])
    #expect(run.failure == nil)
    #expect(run.broken == ["exists-before-use:2"])
    #expect(run.findings.first?.path?.description == "Library/no such")
  }
}
