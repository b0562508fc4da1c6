import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// Foundation's ways to read what is not there.
@Suite struct MissingReadTests {
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (URL) throws -> Void
  }

  static let ways = [
    Way(testDescription: "Data") { _ = try Data(contentsOf: $0) },
    Way(testDescription: "Data, mapped") { _ = try Data(contentsOf: $0, options: .mappedIfSafe) },
    Way(testDescription: "String") { _ = try String(contentsOf: $0, encoding: .utf8) },
    Way(testDescription: "contentsOfDirectory(at:)") {
      _ = try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    },
    Way(testDescription: "contentsOfDirectory(atPath:)") {
      _ = try FileManager.default.contentsOfDirectory(atPath: $0.path)
    },
    Way(testDescription: "attributesOfItem") {
      _ = try FileManager.default.attributesOfItem(atPath: $0.path)
    },
  ]

  @Test(arguments: ways)
  func `each breaks exists-before-use with the item's path`(way: Way) async throws {
    let run = try await ActionRun(
      ["{ perform: 'read' }"],
      actions: ["read": { try way.read($0.container.library.appendingPathComponent("no such")) }])
    #expect(run.failure == nil)
    #expect(run.broken == ["exists-before-use:2"])
    #expect(run.findings.first?.path?.description == "Library/no such")
  }
}
