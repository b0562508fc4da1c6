#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// Runs tests of this bundle in another process, with another environment.
///
/// The tests are in suites that are disabled unless the environment has ``variable``.
struct TestRun {
  /// The environment variable that the other process has.
  static let variable = "BACKUP_TESTING_OWN_TEST_RUN"
  /// Whether a `TestRun` started this process.
  static let isCurrentProcess = ProcessInfo.processInfo.environment[variable] != nil
  /// Whether this process can start a `TestRun`, because SwiftPM runs its tests.
  static let canBeStarted =
    !isCurrentProcess && ProcessInfo.processInfo.arguments.contains("--testing-library")
  /// The time limit of a run, in seconds.
  private static let timeLimit = 300.0

  let isSuccess: Bool
  let output: String

  /// Runs tests, and waits for their end.
  ///
  /// - Parameters:
  ///   - filter: The tests, as a value of the option `--filter`.
  ///   - environment: Additional variables. The other process also gets the variables of this
  ///     process, except those of the kit.
  ///   - options: Further options of the test executable.
  ///   - errors: The path of a pipe or file to which standard error is redirected.
  /// - Throws: ``AppFailure`` if the process cannot be started.
  init(
    _ filter: String, _ environment: [String: String] = [:], options: [String] = [],
    errors: String? = nil
  ) async throws {
    var words = Self.words + ["--testing-library", "swift-testing", "--filter", filter] + options
    if let errors {
      words = ["sh", "-c", "errors=$1; shift; exec \"$@\" 2> \"$errors\"", "sh", errors] + words
    }
    let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BACKUP_TESTING_") }
    let variables = own.merging(environment) { $1 }.merging([Self.variable: "1"]) { $1 }
    let command = ProcessCommand(
      executable: errors == nil ? Self.words[0] : "/bin/sh", words: words,
      environment: variables, directory: FileManager.default.currentDirectoryPath,
      timeLimit: Self.timeLimit)
    let end = try await command.run(within: ProcessLimit(count: 1)).get()
    self.isSuccess = end.cause == .exited(0)
    self.output = end.output.text
  }

  /// The command that runs this bundle's tests. On a Mac, it is a program that loads the bundle.
  private static let words: [String] = {
    let own = ProcessInfo.processInfo.arguments
    guard let bundle = own.firstIndex(of: "--test-bundle-path"), bundle + 1 < own.count else {
      return [Bundle.main.executablePath ?? own[0]]
    }
    return [Bundle.main.executablePath ?? own[0], own[bundle], own[bundle + 1]]
  }()
}
#endif
