import BackupContainer
import BackupDevice
import BackupFileTree
import TestSupport
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Every rule` {
  @Test func `has a name of its own and sources`() {
    #expect(Set(RuleList.names).count == RuleList.all.count && !RuleList.all.isEmpty)
    for rule in RuleList.all {
      #expect(rule.name.allSatisfy { $0.isLowercase || $0 == "-" })
      #expect(!rule.sources.isEmpty)
    }
  }

  @Test(arguments: RuleList.all.map { "\(type(of: $0))" })
  func `has a file of tests`(rule: String) throws {
    #expect(throws: Never.self) {
      try Checkout.text(of: "Tests/BackupRulesTests/\(rule)Tests.swift")
    }
  }

  /// The subjects of each rule. Each source of the rule must speak about one of them.
  private static let subjects: [String: [SystemProfile.Subject]] = [
    "app-check-failed": [.ending, .restore, .purge],
    "backup-budget": [.size],
    "deprecated-mark": [.systems],
    "directory-name": [.place],
    "exists-before-set": [.marking],
    "exists-before-use": [.purge, .update, .restore],
    "half-done": [.ending],
    "incomplete-group": [.marking, .backup, .place],
    "mark-unavailable": [.systems],
    "misplaced-item": [.place],
    "names-missing-file": [.purge, .restore],
    "readable-before-use": [.lock],
    "reapply-on-save": [.marking, .markLoss],
    "recreatable-data-backed-up": [.place],
    "refused-place": [.place],
    "sealed-file-unreadable": [.secrecy],
    "secret-backed-up": [.secrecy, .mark],
    "stale-container-path": [.update],
    "storage-budget": [.deletion],
    "system-directory-marked": [.marking],
    "temporary-left-behind": [.deletion, .place],
    "undeclared-item": [.place],
    "user-data-excluded": [.marking, .place],
    "user-data-lost": [.ending, .restore],
    "user-data-purgeable": [.purge],
    "value-of-other-device": [.secrecy],
  ]

  @Test(arguments: RuleList.all.map(\.name))
  func `cites sources that speak about its subjects`(name: String) throws {
    let rule = try #require(RuleList.all.first { $0.name == name })
    let subjects = try #require(Self.subjects[name])
    for source in rule.sources {
      #expect(
        subjects.contains { source.statement(on: $0) != nil },
        "\(source.key) has no word on what \(name) is about")
    }
  }

  @Test func `can be left out`() async throws {
    let transcript = try await Trial.transcript(["{ read: 'tmp/a' }"])
    #expect(RuleList.findings(in: transcript).count == 1)
    let otherRules = RuleList.all.filter { $0.name != "exists-before-use" }
    #expect(RuleList.findings(in: transcript, by: otherRules).isEmpty)
  }

  @Test func `finds nothing if nothing happens`() async throws {
    #expect(try await Trial.verdicts([]) == [])
  }
}

@Suite struct `Rules over large containers` {
  /// Returns a run in which many files are marked, saved again, backed up ten times, and removed.
  private func transcript(files count: Int) throws -> Transcript {
    let scenario = try Trial.scenario(
      ["{ backup: 'a' }"], "files: { 'Documents/**': 'offline', 'tmp/**': 'temporary' }")
    let variant = try #require(scenario.variants.first)
    let profile = try #require(SystemProfile.newest)
    let step = scenario.steps[0].reference
    let paths = try (0..<count).map { try ContainerPath("Documents/\($0)") }
    let first = FileTree.Layout.newlyInstalled.tree
    var tree = first
    for path in paths { try tree.apply(.write(path, .zeros(1), method: .atomically)) }
    var transcript = Transcript(scenario: scenario, variant: variant, firstTree: first)
    let changes =
      paths.map(FileTree.Change.created) + paths.map { .marked($0, .resourceValue) }
      + paths.map(FileTree.Change.replaced)
    func record(_ event: Transcript.Event, _ tree: FileTree) {
      transcript.entries.append(
        Transcript.Entry(step: step, event: event, tree: tree, profile: profile))
    }
    record(.changes(changes), tree)
    for number in 0..<10 {
      let set = BackupSimulator(profile: profile).backUp(tree)
      let backup = FakeContainer.Backup(label: "\(number)", tree: tree, contents: set)
      record(.system(.backup(backup)), tree)
    }
    record(.changes(paths.map(FileTree.Change.removed)), first)
    return transcript
  }

  @Test func `find each item once, and results are grouped and compared`() throws {
    let transcript = try transcript(files: 60)
    let findings = RuleList.findings(in: transcript)
    #expect(findings.count == 60 && Set(findings.map(\.rule)) == ["reapply-on-save"])
    let run = ScenarioResult.Run(transcript, findings: findings)
    let golden = transcript.scenario.goldenText(of: [transcript])
    let difference = try #require(
      LineDifference(golden: golden.replacing("  1 byte\n", with: "  2 bytes\n"), actual: golden))
    let result = ScenarioResult(
      scenario: transcript.scenario, runs: [run, run],
      goldenOutcome: .differs(path: "a.golden", difference, .offOnCI), expectedGolden: nil,
      isStrict: false
    )
    #expect(result.findings.count == 60)
    #expect(result.problems.count == 1)
    #expect(result.verdict == .failed)
  }
}
