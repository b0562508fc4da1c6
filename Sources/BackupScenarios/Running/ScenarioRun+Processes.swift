import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import Foundation

extension ScenarioRun {
  /// Runs a tool of the app as a process, and records its changes and its output.
  mutating func runProcess(_ commandLine: [String], timeLimit: Double) async throws(StepFailure) {
    guard runner.permissions.contains(.processes) else {
      throw StepFailure(
        "this step runs a process, which needs permission, because scenario files may be untrusted. "
          + "If you trust the file: scenario.run(options: .init(allowsProcesses: true)) in a test, "
          + "or --allow-run on the command line", .notAllowed)
    }
    let command = try command(commandLine, timeLimit: timeLimit)
    let outcome = Locked<Result<ProcessCommand.End, AppFailure>?>(nil)
    try await runCode(probing: true) {
      let result = await command.run()
      outcome.withLock { $0 = result }
    }
    switch outcome.withLock({ $0 }) {
    case .success(let processEnd):
      try record(.output(processEnd.output.text))
      guard processEnd.cause != .exited(0) else { return }
      let toolName = EscapedText.escape((commandLine.first ?? "").cut(to: 200))
      throw StepFailure(
        "'\(toolName)' \(processEnd.cause.description(timeLimit: timeLimit))",
        processEnd.cause.isFailureOfTool ? .failed(.code) : .notAllowed)
    case .failure(let error): throw StepFailure(starting: error)
    case nil: break
    }
  }

  /// Returns the command for a tool beside the scenario folder or on the search path.
  private func command(
    _ commandLine: [String], timeLimit: Double
  ) throws(StepFailure) -> ProcessCommand {
    let environment = ProcessInfo.processInfo.environment
    let container = try requiredContainer()
    try failingStepOnError(try container.requireInPlace())
    do throws(AppFailure) {
      let executable = try ProcessCommand.findExecutable(
        commandLine.first ?? "", from: scenario.parentOfScenarioFolder,
        searchPath: ProcessCommand.searchPath(in: environment))
      return ProcessCommand(
        executable: executable, words: commandLine,
        environment: ProcessCommand.environmentVariables(
          container: container, system: profile.version, appVersion: device.app.version,
          launchCount: device.app.launchCount, from: environment),
        directory: container.url.path, timeLimit: timeLimit)
    } catch {
      throw StepFailure(starting: error)
    }
  }
}
