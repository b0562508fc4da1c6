import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `An item in a backup is explained by` {
  /// Saves `Documents/D/a`, performs steps, and returns the explanation of the file in each backup.
  private func reasons(_ steps: [String], _ other: String = "") async throws -> [String] {
    let save = ["{ createDirectory: 'Documents/D' }", "{ save: 'Documents/D/a', size: 1 }"]
    let transcript = try await Trial.transcript(save + steps, other)
    let path = try ContainerPath("Documents/D/a")
    let explanations = ItemExplanation.byStep(in: transcript)
    return transcript.entries.filter { $0.event.backup != nil }.compactMap { entry in
      explanations[entry.step.number]?.reason(for: path)
    }
  }

  private let backup = "{ backup: 'b' }"

  @Test func `the lack of a mark, and the step that created it`() async throws {
    #expect(
      try await reasons([backup])
        == [
          "included: neither the item nor a directory above it is marked; created in step 2 "
            + "(line 3)"
        ])
  }

  @Test(arguments: [("Documents/D/a", "its mark"), ("Documents/D", "the mark of Documents/D")])
  func `a mark that iOS ignores, until an update of iOS`(marked: String, named: String)
    async throws
  {
    let mark = "{ exclude: '\(marked)', using: 'extendedAttribute' }"
    let reasons = try await reasons(
      [mark, backup, "{ updateSystem: '5.0.1' }", "{ backup: 'c' }"], "system: '5.0'")
    #expect(reasons.first == "included: \(named) is the extendedAttribute, which iOS 5.0 ignores")
    #expect(reasons.count == 2 && reasons.last?.hasPrefix("excluded: ") == true)
  }

  @Test func `the mark that it lost, and where`() async throws {
    let steps = [
      "{ exclude: 'Documents/D/a' }", "{ save: 'Documents/D/a', size: 2 }", backup,
    ]
    #expect(
      try await reasons(steps)
        == ["included: its mark was lost in step 4 (line 5), save Documents/D/a"])
  }
}
