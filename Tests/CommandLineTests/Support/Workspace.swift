import Foundation
import TestSupport

/// A temporary directory in which the tool is run as a process; removed with the value.
final class Workspace: Sendable {
  /// What came of a run.
  struct Outcome: Sendable {
    /// The exit status; that of a signal is negative.
    let status: Int32
    /// What stands in standard output.
    let output: String
    /// What stands in standard error.
    let errors: String
  }

  /// The directory in which the tool is run.
  let folder: TestFolder

  /// The variables that lead the tool; no test inherits them.
  private static let variables = ["CI", "NO_COLOR", "BACKUP_TESTING_RECORD"]

  /// Makes an empty directory.
  init() throws {
    folder = try TestFolder()
  }

  /// Makes a directory with scenarios, by id.
  convenience init(scenarios: [String: String]) throws {
    try self.init()
    for (id, text) in scenarios { try write(text, to: "Scenarios/\(id).json5") }
  }

  /// Where a file is.
  func url(_ path: String) -> URL { folder.url(path) }

  /// Writes a file, with the directories above it.
  func write(_ text: String, to path: String) throws { try folder.write(text, to: path) }

  /// Writes a file of any bytes, with the directories above it.
  func write(_ data: Data, to path: String) throws { try folder.write(data, to: path) }

  /// The text of a file.
  func text(of path: String) throws -> String { try folder.text(of: path) }

  /// Changes a file.
  func replace(_ old: String, with new: String, in path: String) throws {
    let text = try self.text(of: path)
    guard text.contains(old) else { throw TestError("'\(old)' is not in \(path):\n\(text)") }
    try write(text.replacing(old, with: new), to: path)
  }

  /// Whether something is at a path.
  func exists(_ path: String) -> Bool { folder.exists(path) }

  /// The paths of all files below a folder, sorted; none where it is not there.
  func files(in folder: String) -> [String] { self.folder.files(in: folder) }

  /// Runs the tool.
  func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, environment: environment)
  }

  /// Runs the tool.
  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
    try await launch(try ToolExecutable.find(), arguments, environment)
  }

  /// Runs a shell's command, in which `$TOOL` is the tool.
  func shell(_ command: String) async throws -> Outcome {
    let tool = try ToolExecutable.find().path
    return try await launch(URL(fileURLWithPath: "/bin/sh"), ["-c", command], ["TOOL": tool])
  }

  /// Runs a program to its end; files take its output, so that no pipe can fill up.
  private func launch(
    _ program: URL, _ arguments: [String], _ environment: [String: String]
  ) async throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment
      .filter { !Self.variables.contains($0.key) }
      .merging(environment) { $1 }
    let streams = try TestFolder()
    let files = ["output", "errors"].map { streams.url($0) }
    for file in files { try Data().write(to: file) }
    let handles = try files.map { try FileHandle(forWritingTo: $0) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    let status = try await process.runToEnd()
    for handle in handles { try handle.close() }
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return Outcome(status: status, output: texts[0], errors: texts[1])
  }
}

extension Process {
  /// Runs without blocking a thread.
  ///
  /// - Returns: The exit status; that of a signal is negative.
  fileprivate func runToEnd() async throws -> Int32 {
    try await withCheckedThrowingContinuation { continuation in
      terminationHandler = { process in
        let isSignal = process.terminationReason == .uncaughtSignal
        let status = process.terminationStatus
        continuation.resume(returning: isSignal ? -status : status)
      }
      do {
        try run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
