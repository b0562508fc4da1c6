import Foundation
import TestSupport
import Testing

/// The workflow of continuous integration, which names tests of this repository.
@Suite struct WorkflowTests {
  /// Texts in the source of a test that start a process.
  private static let processStarts = [
    "ProcessCommand(", "allowsProcesses: true", "Workspace(", "shell(",
  ]

  /// Returns the test files that start processes, each as `Target/Suite`. A suite has the name of
  /// its file.
  private func suitesWithProcesses() throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Checkout.path("Tests"))
    return try files.filter { $0.hasSuffix("Tests.swift") && !$0.hasSuffix(ownFileName) }
      .filter { file in
        let text = try Checkout.text(of: "Tests/\(file)")
        return Self.processStarts.contains(where: text.contains)
      }.compactMap { file in
        let parts = file.split(separator: "/")
        guard let target = parts.first, let suite = parts.last else { return nil }
        return "\(target)/\(suite.dropLast(".swift".count))"
      }
  }

  /// The name of this file, which contains the texts itself.
  private var ownFileName: String { URL(fileURLWithPath: #filePath).lastPathComponent }

  @Test func `the simulator's job leaves out every test that starts a process`() throws {
    let workflow = try Checkout.text(of: ".github/workflows/ci.yml")
    let skipped = Set(
      workflow.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("-skip-testing:") }
        .map { $0.dropFirst("-skip-testing:".count) })
    let suites = try suitesWithProcesses()
    #expect(!suites.isEmpty)
    for suite in suites {
      let target = suite.prefix { $0 != "/" }
      #expect(skipped.contains(target) || skipped.contains(suite[...]), "\(suite)")
    }
    for name in skipped {
      #expect(suites.contains { $0 == name || $0.hasPrefix("\(name)/") }, "\(name) is gone")
    }
  }
}
