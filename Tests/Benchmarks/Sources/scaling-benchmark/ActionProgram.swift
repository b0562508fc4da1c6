import BackupTesting
import Foundation
import Testing

/// The child process of the benchmark, which runs series with an app's own code. The tool cannot
/// run such code.
enum ActionProgram {
  /// The first argument of the child process.
  private static let childFlag = "--as-child"

  /// Returns the arguments of a child that runs the scenarios in a folder with ``SeriesActions``.
  static func arguments(forScenariosIn folder: URL) -> [String] {
    [childFlag, "scenarios", folder.path]
  }

  /// Returns the arguments of a child that calls `perform` in a container `count` times.
  static func arguments(forCalls count: Int) -> [String] { [childFlag, "session", String(count)] }

  /// Runs the work of a child process, and returns the exit status; nil if this is not a child.
  static func run(_ arguments: [String]) async throws -> Int32? {
    guard arguments.first == childFlag, arguments.count == 3 else { return nil }
    if arguments[1] == "session" { return try await runSession(Int(arguments[2]) ?? 0) }
    let actions = SeriesActions().actions
    let verdicts = try await runScenarios(in: arguments[2], actions)
    return verdicts.contains(nil) || verdicts.contains(.error) ? 2 : 0
  }

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

  /// The location of the calls to the kit. Its default is a macro that works only in tests.
  private static let here = SourceLocation(
    fileID: #fileID, filePath: #filePath, line: #line, column: #column)

  /// Calls `perform` as a test does. Each call saves one of ten files. A backup follows every tenth
  /// call, with a label that stays the same.
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
