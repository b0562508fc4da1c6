import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `An item in a backup is explained by` {
  /// The reason for `Documents/D/a` in each backup of steps that follow its saving.
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

  @Test func `that nothing is marked, with the step that put it there`() async throws {
    #expect(
      try await reasons([backup])
        == [
          "included: neither the item nor a directory above it is marked; created in step 2 "
            + "(line 3)"
        ])
  }

  @Test(arguments: [("Documents/D/a", "its mark"), ("Documents/D", "the mark of Documents/D")])
  func `a mark that the system does not know, until it does`(marked: String, named: String)
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
