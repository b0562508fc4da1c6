#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios

/// Tests of this bundle in a process of their own, with another environment.
///
/// They are in suites that are disabled unless ``variable`` is set.
struct TestRun {
  /// By it the tests know that they are run so.
  static let variable = "BACKUP_TESTING_OWN_TEST_RUN"
  /// Whether this process is one that was started so.
  static let isOne = ProcessInfo.processInfo.environment[variable] != nil
  /// Whether one can be started: SwiftPM runs the tests, so it is known how.
  static let canBeStarted =
    !isOne && ProcessInfo.processInfo.arguments.contains("--testing-library")
  /// How long one may take, in seconds.
  private static let timeLimit = 300.0

  let isSuccess: Bool
  let output: String

  /// Runs tests to their end.
  ///
  /// - Parameters:
  ///   - filter: The tests, as `--filter` takes them.
  ///   - environment: Variables beside this process's own, of which the kit's are left out.
  ///   - options: Options of `swift test`'s for the tests.
  ///   - errors: The path of a pipe or file that takes what is written to standard error.
  /// - Throws: ``AppFailure`` if it cannot be started.
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

  /// What starts this bundle's tests: the test executable, or on a Mac what loads the bundle.
  private static let words: [String] = {
    let own = ProcessInfo.processInfo.arguments
    guard let bundle = own.firstIndex(of: "--test-bundle-path"), bundle + 1 < own.count else {
      return [Bundle.main.executablePath ?? own[0]]
    }
    return [Bundle.main.executablePath ?? own[0], own[bundle], own[bundle + 1]]
  }()
}
#endif
