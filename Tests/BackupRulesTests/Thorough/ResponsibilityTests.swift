import BackupFileTree
import BackupRules
import BackupScenarios
import Testing
import TrialSupport

/// An update, or an offload and a reinstall, between a save and the backups after it.
struct UpdateOrReinstall: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let steps: [String]
  /// The iOS version at the beginning.
  var system = "'newest'"

  static let all = [
    UpdateOrReinstall(testDescription: "an update of the app", steps: ["{ updateApp: '2.0' }"]),
    UpdateOrReinstall(
      testDescription: "an update of the system", steps: ["{ updateSystem: '26' }"],
      system: "'18'"),
    UpdateOrReinstall(
      testDescription: "an offload and a reinstall",
      steps: ["{ offload: {} }", "{ reinstall: {} }"]),
  ]

  func findings(_ steps: [String], _ other: String) async throws -> [String] {
    try await Trial.verdicts(steps, "\(other), system: \(system)")
  }
}

private let relaunch = "{ relaunch: {} }"

private func backup(_ label: String) -> String { "{ backup: '\(label)' }" }

extension Trial {
  /// Returns the findings of a scenario's first run, each as `rule severity path`.
  fileprivate static func findingsWithoutSteps(_ steps: [String], _ other: String = "") async throws
    -> [String]
  {
    try await findings(steps, other).map {
      "\($0.rule) \($0.severity.rawValue) \($0.path?.description ?? "-")"
    }
  }
}

@Suite struct `After an update the app is responsible for` {
  private let offline = "files: { 'Library/Application Support/**': 'offline' }"
  private let movie = [
    "{ createDirectory: '\(support)' }", "{ save: '\(support)/m', size: '700 MB' }",
  ]

  @Test(arguments: UpdateOrReinstall.all)
  func `an item that was wrong when it last had control, even without a launch since`(
    _ event: UpdateOrReinstall
  ) async throws {
    #expect(
      try await event.findings(movie + event.steps + [backup("b")], offline)
        == ["recreatable-data-backed-up error 2 \(support)/m"])
  }

  @Test func `a link into its former container, from its next start on`() async throws {
    let steps = [
      "{ save: 'Documents/a', size: 1 }",
      "{ link: 'Documents/l', to: 'Documents/a', absolute: true }", "{ updateApp: '2.0' }",
    ]
    #expect(
      try await Trial.verdicts(steps + [relaunch])
        == ["stale-container-path warning 2 Documents/l"])
    #expect(
      try await Trial.verdicts(steps + [relaunch, backup("b")])
        == ["stale-container-path warning 2 Documents/l"])
    #expect(try await Trial.verdicts(steps) == [])
  }
}

@Suite struct `The app is responsible for files that it did not save` {
  private let offline = "files: { 'Documents/**': 'offline' }"
  private let place = "{ place: 'Documents/m', size: '1 GB' }"
  private let finding = "recreatable-data-backed-up error Documents/m"

  @Test func `but not for a file that came after it last had control`() async throws {
    let steps = [relaunch, place, backup("b1")]
    #expect(try await Trial.findingsWithoutSteps(steps, offline) == [])
    #expect(
      try await Trial.findingsWithoutSteps(steps + [relaunch, backup("b2")], offline) == [finding])
  }

  @Test func `but not for a file that replaced a marked file, until it has had control`()
    async throws
  {
    let steps = [
      "{ save: 'Documents/m', size: 9 }", "{ exclude: 'Documents/m' }", place, backup("b1"),
    ]
    #expect(try await Trial.findingsWithoutSteps(steps, offline) == [])
    #expect(
      try await Trial.findingsWithoutSteps(steps + [relaunch, backup("b2")], offline) == [finding])
  }
}

@Suite struct `The app is not responsible before it has had control` {
  private let movie = "\(support)/Movies/1.mp4"

  @Test func `for a mark that the new iOS version no longer honours`() async throws {
    let steps =
      savedMovie + [
        "{ exclude: '\(movie)', using: 'extendedAttribute' }", "{ updateSystem: '6' }",
        backup("b1"),
      ]
    let other = promises + ", system: '5.0.1'"
    #expect(try await Trial.findingsWithoutSteps(steps, other) == [])
    #expect(try await Trial.findingsWithoutSteps(steps + [backup("b2")], other) == [])
  }

  @Test func `but is from the first backup after a relaunch on`() async throws {
    let steps =
      savedMovie + [
        "{ exclude: '\(movie)', using: 'extendedAttribute' }", "{ updateSystem: '6' }", relaunch,
        backup("b1"),
      ]
    let other = promises + ", system: '5.0.1'"
    #expect(
      try await Trial.findingsWithoutSteps(steps, other) == [
        "recreatable-data-backed-up error \(movie)"
      ])
    let marked = savedMovie + [steps[2], steps[3], "{ exclude: '\(movie)' }", backup("b1")]
    #expect(try await Trial.findingsWithoutSteps(marked, other) == [])
  }

  @Test func `for a file that an older backup brings back, so that only this backup is named`()
    async throws
  {
    let steps = [
      "{ save: 'Documents/m', size: 9 }", backup("old"), "{ exclude: 'Documents/m' }",
      "{ restore: 'old' }", backup("restored"),
    ]
    let findings = try await Trial.findings(steps, "files: { 'Documents/**': 'offline' }")
    #expect(findings.map(\.line) == ["recreatable-data-backed-up error 1 Documents/m"])
    let message = findings.first?.message ?? ""
    #expect(message.contains("\"old\""), "\(message)")
    #expect(!message.contains("\"restored\""), "\(message)")
  }
}
