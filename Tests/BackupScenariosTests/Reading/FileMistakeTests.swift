import BackupDevice
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A mistake in a file is reported at its place` {
  @Test(
    arguments: [
      ("[]", ["1:1: expected a scenario: { title: …, steps: […] }, found a list"]),
      (
        "{}",
        [
          "1:1: 'title' is missing; expected a sentence that says what the scenario shows",
          "1:1: 'steps' is missing; expected a list of steps",
        ]
      ),
      (
        "{ title: ' \\t', steps: [] }",
        ["1:10: the title is empty; expected a sentence that says what the scenario shows"]
      ),
      (
        "{ title: 5, steps: [] }",
        ["1:10: expected a sentence that says what the scenario shows, found a number"]
      ),
      (
        "{ title: 'T', steps: [], expect: 'x' }",
        [
          "1:34: expected a list of findings such as { rule: \"reapply-on-save\", step: 5, path: \"…\" }, "
            + "found a string"
        ]
      ),
      ("{ title: 'T', steps: {} }", ["1:22: expected a list of steps, found an object"]),
      (
        "{ title: 'T', steps: [], system: '4' }",
        [
          "1:34: unknown version of iOS '4'; the oldest that the kit knows is '5.0' (known versions are \(knownSystems))"
        ]
      ),
      (
        "{ title: 'T', steps: [], system: ['newest', '\(Trial.newest)'] }",
        ["1:45: this system appears twice; keep one"]
      ),
      (
        "{ title: 'T', steps: [], system: ['18', 18.0] }",
        ["1:41: this system appears twice; keep one"]
      ),
      (
        "{ title: 'T', steps: [], system: [] }",
        ["1:34: the list is empty; expected at least one version of iOS"]
      ),
      (
        "{ title: 'T', steps: [], system: true }",
        ["1:34: expected a version of iOS, such as \"18\", or \"newest\", found a boolean"]
      ),
      (
        "{ title: 'T', steps: [], explore: { from: 1, reason: ' ' } }",
        ["1:54: the reason is empty; expected the reason, in a sentence"]
      ),
      (
        "{ title: 'T', steps: [], explore: { reason: 'R' } }",
        ["1:35: 'explore' changes nothing; add one of 'from', 'without', 'updatesKeep'"]
      ),
      (
        "{ title: 'T', steps: [], explore: { without: ['kill', 'all'], reason: 'R' } }",
        ["1:55: 'all' includes every event; remove it, or remove the others"]
      ),
      (
        "{ title: 'T', steps: [], backups: 'icloud' }",
        [
          "1:35: unknown kind of backup 'icloud'; did you mean 'iCloud'? (expected one of iCloud, "
            + "local, local-encrypted, off)"
        ]
      ),
      (
        "{ title: 'T', steps: [], backups: ['local', 'local'] }",
        ["1:45: this kind of backup appears twice; keep one"]
      ),
      (
        "{ title: 'T', steps: [], app: { bundleIdentifier: 'a..b' } }",
        [
          "1:51: 'a..b' is not a bundle identifier; expected a bundle identifier such as "
            + "\"com.example.app\""
        ]
      ),
      (
        "{ title: 'T', steps: [], app: { id: 'a' } }",
        [
          "1:33: unknown key 'id'; expected one of bundleIdentifier, version, groups, extensions"
        ]
      ),
      (
        "{ title: 'T', steps: [], files: { 'tmp/**': 'temporal' } }",
        [
          "1:45: unknown data class 'temporal'; did you mean 'temporary'? (expected one of "
            + "critical, support, offline, cached, temporary, secret)"
        ]
      ),
      (
        "{ title: 'T', steps: [], files: { '/tmp': 'cached' } }",
        [
          "1:35: the pattern '/tmp' is absolute: write it relative to the container, such as "
            + "'Documents/notes.txt'"
        ]
      ),
      (
        "{ title: 'T', steps: [], files: { a: 'cached', a: 'support' } }",
        ["1:48: 'a' appears twice; keep one"]
      ),
      (
        "{ title: 'T', steps: [], budget: '5' , guidance: 'ignore' }",
        [
          "1:50: unknown value 'ignore'; did you mean 'ignored'? (expected one of honoured, "
            + "ignored)"
        ]
      ),
      (
        "{ title: 'T', steps: [], budget: { size: '5 MB' } }",
        [
          "1:36: 'size' is a limit, not a pattern; for all files write \"**\": { size: … }"
        ]
      ),
      (
        "{ title: 'T', steps: [], storage: { '**': {} } }",
        ["1:43: the limit is empty; add 'size' or 'files'"]
      ),
      (
        "{ title: 'T', steps: [], storage: { '**': { files: 1.5 } } }",
        ["1:52: expected a number of files from 0 to 1000000000"]
      ),
      (
        "{ title: 'T', steps: [], requirements: [3] }",
        ["1:41: expected a requirement id, found a number"]
      ),
      ("{ title: 'T', title: 'U', steps: [] }", ["1:15: 'title' appears twice; keep one"]),
    ])
  func `with what was expected`(text: String, mistakes: [String]) {
    #expect(Trial.mistakes(in: text) == mistakes)
  }

  @Test func `and an unknown key with the nearest known one`() throws {
    let mistakes = Trial.mistakes(in: "{\n  title: 'T',\n  step: [],\n}")
    #expect(mistakes.count == 2)
    #expect(
      mistakes.contains { $0.hasPrefix("3:3: unknown key 'step'; did you mean 'steps'?") })
    #expect(mistakes.contains("1:1: 'steps' is missing; expected a list of steps"))
  }

  @Test func `together with all others of the file`() {
    let mistakes = Trial.mistakes(
      in: """
        {
          title: 7,
          system: "4",
          backups: "cloud",
          budget: "5 megabytes",
          launch: [{ backup: "a" }],
          steps: [
            { svae: "tmp/a" },
            { remove: "/" },
          ],
          expect: [{ rule: "reapply", step: 3 }],
          extra: 1,
        }
        """)
    let lines = mistakes.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } }
    #expect(lines == [2, 3, 4, 5, 6, 8, 9, 11, 11, 12])
  }

  @Test func `alone, at its line, if it is a syntax error`() {
    let mistakes = Trial.mistakes(in: "{\n  title: 'T'\n  steps: [] }")
    #expect(mistakes.count == 1)
    #expect(mistakes.allSatisfy { $0.hasPrefix("3:3: ") })
  }

  @Test func `as a line that editors link`() throws {
    let error = try #require(throws: RunError.self) {
      try Scenario(text: "{ title: 'T', steps: 1,\n budget: -1 }", file: "a/b.json5")
    }
    #expect(
      error.description == """
        a/b.json5:1:22: error: expected a list of steps, found a number
        a/b.json5:2:10: error: the size -1 is out of range; expected 0 bytes to 1000 GB
        """)
  }
}

/// The versions of iOS that a scenario can name, as a message lists them.
private let knownSystems =
  (SystemProfile.all.map(\.version.description) + ["newest"]).joined(separator: ", ")
