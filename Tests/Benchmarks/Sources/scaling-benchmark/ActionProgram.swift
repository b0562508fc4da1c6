import BackupTesting
import Foundation
import Testing

/// What the benchmark does when it is started again by itself: it runs what the tool cannot, which
/// knows no code of an app.
enum ActionProgram {
  /// The first word of the arguments that ask for it.
  private static let word = "--as-child"

  /// The arguments to run the scenarios in a folder, with the actions bound.
  static func arguments(forScenariosIn folder: URL) -> [String] {
    [word, "scenarios", folder.path]
  }

  /// The arguments to run code in the container of a test so often.
  static func arguments(forCalls count: Int) -> [String] { [word, "session", String(count)] }

  /// Does what arguments ask for; nil where they are for the benchmark itself.
  static func run(_ arguments: [String]) async throws -> Int32? {
    guard arguments.first == word, arguments.count == 3 else { return nil }
    if arguments[1] == "session" { return try await runSession(Int(arguments[2]) ?? 0) }
    let actions = SeriesActions().actions
    let verdicts = try await runScenarios(in: arguments[2], actions)
    return verdicts.contains(nil) || verdicts.contains(.error) ? 2 : 0
  }

  /// Runs the scenarios of a folder.
  private static func runScenarios(
    in folder: String, _ actions: AppActions
  ) async throws -> [ScenarioResult.Verdict?] {
    var verdicts: [ScenarioResult.Verdict?] = []
    for scenario in try Scenario.all(in: folder) {
      let result = await scenario.run(
        actions: actions,
        options: Scenario.RunOptions(
          limits: Scenario.RunLimits(work: 1_000_000_000), goldenFolder: "\(folder)/Golden",
          recordMode: .never))
      verdicts.append(result?.verdict)
    }
    return verdicts
  }

  /// The place of the calls, which a program has to name: the macro for it is there in tests only.
  private static let here = SourceLocation(
    fileID: #fileID, filePath: #filePath, line: #line, column: #column)

  /// Saves one of ten files each time, as a test does with the code it tests, and takes a backup of
  /// the same label.
  private static func runSession(_ count: Int) async throws -> Int32 {
    let container = try FakeContainer()
    for number in 0..<count {
      try await container.perform(sourceLocation: here) {
        let file = container.documents.appendingPathComponent("\(number % 10).json")
        try Data("saved".utf8).write(to: file)
      }
      if number % 10 == 0 { _ = try container.backUp("night", sourceLocation: here) }
    }
    _ = try container.findings()
    try container.remove()
    return 0
  }
}
