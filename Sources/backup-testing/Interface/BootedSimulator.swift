import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import Foundation

/// The simulator that is booted on this Mac. Xcode's `simctl` finds it.
enum BootedSimulator {
  /// The number of seconds that `simctl` may take.
  private static let timeLimit = 60.0

  /// Returns the containers of an app and of its groups as arguments of `inspect`. The notes say
  /// what could not be found.
  ///
  /// - Throws: `CommandError` if there is no Xcode or no booted simulator, or if the app is not
  ///   installed.
  static func containers(
    of app: String
  ) async throws -> (arguments: [String], notes: [String]) {
    guard ContainerPath.Component.isIdentifier(app) else {
      throw commandError(
        "'\(app)' is not the bundle identifier of an app; expected one such as com.example.cinema")
    }
    let (paths, failure) = try await lines(for: app, "data") {
      $0.hasPrefix("/") && !$0.contains("\0")
    }
    guard let path = paths.last else { throw error(for: failure, app) }
    // If an app has no groups, `simctl` may fail too. A note quotes its message, because the
    // message for this case is not documented.
    let (groupLines, groupFailure) = try await lines(for: app, "groups") { $0.contains("\t/") }
    let notes =
      groupLines.isEmpty && !groupFailure.isEmpty
      ? ["simctl names no container of a group: \(groupFailure.onOneLine)".asMessage] : []
    let groupArguments = groupLines.map { $0.replacing("\t", with: "=", maxReplacements: 1) }
    return (["\(app)=\(path)"] + groupArguments, notes)
  }

  /// Returns the lines of `simctl` that name containers. If there are none, the failure is the
  /// whole output. If `simctl` failed without output, the failure says how `simctl` ended.
  private static func lines(
    for app: String, _ kind: String, where isContainer: (String) -> Bool
  ) async throws -> (containerLines: [String], failure: String) {
    let commandWords = ["xcrun", "simctl", "get_app_container", "booted", app, kind]
    let environment = ProcessInfo.processInfo.environment
    let command = ProcessCommand.programOnPath(
      commandWords, in: environment, printingTo: .collectedOutput, timeLimit: timeLimit)
    guard let command else {
      throw commandError(
        "there is no 'xcrun' on PATH, which comes with Xcode on a Mac; copy the container here, and "
          + "name its folder instead")
    }
    let end = try await command.run().get()
    let text = end.output.unescapedText.trimmingCharacters(in: .newlines)
    guard end.cause == .exited(0) else {
      let cause = end.cause.description(timeLimit: timeLimit)
      return ([], text.isEmpty ? "\(commandWords.joined(separator: " ")) \(cause)" : text)
    }
    let lines = text.split(separator: "\n").map(String.init)
    let containerLines = lines.filter(isContainer)
    return (containerLines, containerLines.isEmpty ? text : "")
  }

  private static func error(for output: String, _ app: String) -> CommandError {
    if output.contains("No devices are booted") {
      return commandError(
        "no simulator is booted; boot one in Xcode, or with 'xcrun simctl boot DEVICE', and start "
          + "the app there")
    }
    if output.contains("No such file or directory") {
      return commandError(
        "the app '\(app)' is not installed in the simulator that is booted; run it there once, or "
          + "correct the bundle identifier")
    }
    if output.contains("unable to find utility") {
      return commandError(
        "there is no 'simctl', which only Xcode has; install Xcode, and choose it with 'sudo "
          + "xcode-select --switch /Applications/Xcode.app'")
    }
    return commandError("xcrun simctl names no container: \(output)")
  }

  private static func commandError(_ words: String) -> CommandError {
    CommandError("\(Command.simulator.name): \(words)")
  }
}
