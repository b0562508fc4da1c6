#if os(macOS) || os(Linux)
import Foundation
import TestSupport

@testable import BackupScenarios

/// A temporary directory in which tests run the tool as a process. It is removed with the object.
final class Workspace: Sendable {
  /// The result of a process.
  struct Outcome: Sendable {
    /// The exit status, or the negative number of the signal that ended the process.
    let status: Int32
    /// The text of the standard output.
    let output: String
    /// The text of the standard error.
    let errors: String
  }

  /// The directory in which the tool runs.
  let folder: TestFolder

  /// The environment variables that change what the tool does. Tests do not inherit them.
  private static let variables = [
    "CI", "NO_COLOR", "BACKUP_TESTING_PENDING", "BACKUP_TESTING_RECORD",
    "BACKUP_TESTING_SHARD", "CI_COMMIT_SHA", "GITHUB_SHA", "SOURCE_DATE_EPOCH",
  ]
  /// The longest time of a process, in seconds.
  private static let timeLimit = 600.0

  init() throws {
    folder = try TestFolder()
  }

  /// Creates a directory with scenarios. The keys are the ids, and the values are the texts.
  convenience init(scenarios: [String: String]) throws {
    try self.init()
    for (id, text) in scenarios { try write(text, to: "Scenarios/\(id).json5") }
  }

  func url(_ path: String) -> URL { folder.url(path) }

  /// Writes a file, and creates the directories above it.
  func write(_ text: String, to path: String) throws { try folder.write(text, to: path) }

  /// Writes a file of any bytes, and creates the directories above it.
  func write(_ data: Data, to path: String) throws { try folder.write(data, to: path) }

  func text(of path: String) throws -> String { try folder.text(of: path) }

  func replace(_ old: String, with new: String, in path: String) throws {
    let text = try self.text(of: path)
    guard text.contains(old) else { throw TestError("'\(old)' is not in \(path):\n\(text)") }
    try write(text.replacing(old, with: new), to: path)
  }

  func exists(_ path: String) -> Bool { folder.exists(path) }

  /// Returns the sorted paths of all files in a folder and its subfolders; none if it is missing.
  func files(in folder: String) -> [String] { self.folder.files(in: folder) }

  func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
    try await launch(try ToolExecutable.find(), arguments, environment)
  }

  /// Runs a shell command, in which `$TOOL` is the path of the tool.
  func shell(_ command: String) async throws -> Outcome {
    let tool = try ToolExecutable.find().path
    return try await launch(URL(fileURLWithPath: "/bin/sh"), ["-c", command], ["TOOL": tool])
  }

  /// Adds a shell script as a program to the folder `bin`.
  ///
  /// A shell writes the file. If this process wrote it and started another process meanwhile, that
  /// process would inherit the open file, and the system would refuse to run the program.
  func addProgram(_ name: String, _ script: String) async throws {
    try write("#!/bin/sh\n\(script)\n", to: "bin/\(name).sh")
    _ = try await shell("cp bin/\(name).sh bin/\(name); chmod 755 bin/\(name)")
  }

  /// True if ``runAsOrdinaryUser(_:)`` works. If this user is root, it needs the program `setpriv`,
  /// and every user must have access to the temporary folder.
  static let canRunAsOrdinaryUser =
    geteuid() != 0
    || FileManager.default.isExecutableFile(atPath: setpriv) && isOpenToAll(temporaryFolder)

  /// The folder in which tests create their folders.
  private static let temporaryFolder = FileManager.default.temporaryDirectory
    .resolvingSymlinksInPath()

  /// Returns true if every user has access to a folder and to all folders above it.
  private static func isOpenToAll(_ folder: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
    guard let permissions = attributes?[.posixPermissions] as? Int, permissions & 0o001 != 0 else {
      return false
    }
    return folder.path == "/" || isOpenToAll(folder.deletingLastPathComponent())
  }

  /// The program with which root runs a process as another user.
  private static let setpriv = "/usr/bin/setpriv"
  /// The number of the user and the group `nobody`.
  private static let nobody: UInt32 = 65_534

  /// Runs the tool as a user to whom permissions apply: this user, or `nobody` if this user is
  /// root.
  ///
  /// For `nobody`, the tool is copied to this directory, because its own folder may be closed to
  /// `nobody`.
  func runAsOrdinaryUser(_ arguments: String...) async throws -> Outcome {
    guard geteuid() == 0 else { return try await run(arguments) }
    try FileManager.default.copyItem(at: try ToolExecutable.find(), to: url("tool"))
    for path in try folder.names() + [""] where chown(url(path).path, Self.nobody, Self.nobody) != 0
    {
      throw TestError("nobody cannot be given '\(path)'")
    }
    return try await launch(
      URL(fileURLWithPath: Self.setpriv),
      ["--reuid=\(Self.nobody)", "--regid=\(Self.nobody)", "--clear-groups", "./tool"] + arguments,
      ["TMPDIR": "/tmp"])
  }

  /// Runs a program to its end. Its output goes to files, because a pipe could fill up.
  ///
  /// It uses the kit's `ProcessCommand`, because Foundation's `Process` is missing on iOS, for
  /// which these tests are compiled too.
  private func launch(
    _ program: URL, _ arguments: [String], _ environment: [String: String]
  ) async throws -> Outcome {
    let outputFolder = try TestFolder()
    let files = ["output", "errors"].map { outputFolder.url($0) }
    let script = "out=$1 err=$2; shift 2; exec \"$@\" > \"$out\" 2> \"$err\""
    let command = ProcessCommand(
      executable: "/bin/sh",
      words: ["sh", "-c", script, "sh"] + files.map(\.path) + [program.path] + arguments,
      environment: ProcessInfo.processInfo.environment
        .filter { !Self.variables.contains($0.key) }
        .merging(environment) { $1 },
      directory: folder.path, timeLimit: Self.timeLimit)
    let end = try await command.run().get()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    switch end.cause {
    case .exited(let status): return Outcome(status: status, output: texts[0], errors: texts[1])
    case .signal(let number): return Outcome(status: -number, output: texts[0], errors: texts[1])
    default: throw TestError("the tool \(end.cause.description(timeLimit: Self.timeLimit))")
    }
  }
}
#endif
