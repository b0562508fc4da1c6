import BackupContainer
import BackupDevice
import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `The advice of rules` {
  /// Steps that break each rule whose advice may name a mark, for every class of data.
  private static let mistakes = [
    "{ exclude: 'Documents/none', using: 'extendedAttribute', throws: 'missing' }",
    "{ save: 'Documents/a', size: 1 }", "{ save: 'Documents/b', size: 1 }",
    "{ exclude: 'Documents/b', using: 'extendedAttribute' }", "{ save: 'Documents/b', size: 1 }",
    "{ save: 'Library/Caches/a', size: 1 }", "{ save: 'tmp/a', size: 1 }",
    "{ save: 'Documents/c', size: 1 }",
    "{ exclude: 'Documents/c', using: 'extendedAttribute' }", "{ backup: 'a' }",
    "{ relaunch: {} }", "{ read: 'tmp/a' }",
  ]

  @Test(arguments: SystemProfile.all.map(\.version))
  func `names only the mark to set under the iOS version`(_ version: SystemVersion) async throws {
    let profile = try #require(SystemProfile.all.first { $0.version == version })
    let steps = Self.mistakes.map { $0.replacing(", throws: 'missing'", with: "") }
    for dataClass in DataClass.allCases {
      let findings = try await Trial.findings(
        steps, "system: '\(profile.version)', files: { '**': '\(dataClass.rawValue)' }")
      for mark in ExclusionMark.all where mark != profile.markToSet {
        #expect(!findings.contains { $0.advice.contains(mark.nameInAdvice) }, "\(dataClass)")
        #expect(!findings.contains { $0.missingMark.contains(mark) }, "\(dataClass)")
      }
    }
  }

  @Test func `says whether a missing file can be created again, by its class`() async throws {
    let read = ["{ read: 'Documents/a' }"]
    func advice(_ dataClass: String) async throws -> String {
      let findings = try await Trial.findings(read, "files: { '**': '\(dataClass)' }")
      return try #require(findings.first?.advice)
    }
    #expect(try await advice("secret").contains("ask the user again"))
    #expect(try await advice("offline").contains("download or create it again"))
    for dataClass in ["secret", "cached", "temporary", "critical"] {
      #expect(try await !advice(dataClass).contains("fetch"))
      #expect(try await !advice(dataClass).contains("Application Support"))
    }
  }

  @Test func `names the iOS versions of each run if the runs differ`() throws {
    let finding = { (text: String) throws in
      Scenario.Finding(
        rule: "a", severity: .error,
        step: try Trial.scenario(["{ backup: 'a' }"]).steps[0].reference,
        path: nil, message: text, advice: text, sources: [])
    }
    let versions = SystemProfile.all.map(\.version)
    let mergedEqual = Scenario.Finding.merged([
      .init(try finding("x"), on: versions[0]), .init(try finding("x"), on: versions[1]),
    ])
    #expect(mergedEqual?.advice == "x" && mergedEqual?.message == "x")
    let mergedDifferent = Scenario.Finding.merged([
      .init(try finding("x"), on: versions[0]), .init(try finding("y"), on: versions[1]),
      .init(try finding("y"), on: versions[2]),
    ])
    #expect(mergedDifferent?.advice == "under iOS 5.0: x; under iOS 5.0.1 and 5.1: y")
    #expect(mergedDifferent?.message == "under iOS 5.0: x")
  }
}

@Suite struct `What was in the container before the app's first step` {
  /// Returns the findings of a run that begins with a file, marked or not, and takes a backup.
  private func findings(
    _ path: String, _ dataClass: String, isMarked: Bool = false
  ) throws -> [String] {
    let scenario = try Trial.scenario(
      ["{ backup: 'a' }", "{ read: '\(path)' }"], "files: { '**': '\(dataClass)' }")
    let profile = try #require(SystemProfile.newest)
    let file = try ContainerPath(path)
    var tree = FileTree.Layout.newlyInstalled.tree
    try tree.apply(.write(file, .zeros(1), method: .atomically))
    if isMarked { tree.modify(file) { $0.marks = .resourceValue } }
    var transcript = Transcript(
      scenario: scenario, variant: try #require(scenario.variants.first), firstTree: tree)
    let set = BackupSimulator(profile: profile).backUp(tree)
    let backup = FakeContainer.Backup(label: "a", tree: tree, contents: set)
    for event in [Transcript.Event.launch, .system(.backup(backup))] {
      transcript.entries.append(
        Transcript.Entry(
          step: scenario.steps[0].reference, event: event, tree: tree, profile: profile))
    }
    return RuleList.findings(in: transcript).map(\.line)
  }

  @Test func `is reported at the step in which iOS acts`() throws {
    #expect(try findings("Documents/a", "secret") == ["secret-backed-up error 1 Documents/a"])
    #expect(
      try findings("Documents/a", "cached", isMarked: true)
        == ["misplaced-item warning 1 Documents/a"])
  }
}
