#if os(macOS) || os(Linux)
import Foundation
import TestSupport

@testable import BackupScenarios

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
  private static let variables = [
    "CI", "NO_COLOR", "BACKUP_TESTING_PENDING", "BACKUP_TESTING_RECORD",
    "BACKUP_TESTING_SHARD", "CI_COMMIT_SHA", "GITHUB_SHA", "SOURCE_DATE_EPOCH",
  ]
  /// How long a run may take, in seconds.
  private static let timeLimit = 600.0

  init() throws {
    folder = try TestFolder()
  }

  /// Makes a directory with scenarios, by id.
  convenience init(scenarios: [String: String]) throws {
    try self.init()
    for (id, text) in scenarios { try write(text, to: "Scenarios/\(id).json5") }
  }

  func url(_ path: String) -> URL { folder.url(path) }

  /// Writes a file, with the directories above it.
  func write(_ text: String, to path: String) throws { try folder.write(text, to: path) }

  /// Writes a file of any bytes, with the directories above it.
  func write(_ data: Data, to path: String) throws { try folder.write(data, to: path) }

  /// The text of a file.
  func text(of path: String) throws -> String { try folder.text(of: path) }

  func replace(_ old: String, with new: String, in path: String) throws {
    let text = try self.text(of: path)
    guard text.contains(old) else { throw TestError("'\(old)' is not in \(path):\n\(text)") }
    try write(text.replacing(old, with: new), to: path)
  }

  /// Whether something is at a path.
  func exists(_ path: String) -> Bool { folder.exists(path) }

  /// The paths of all files below a folder, sorted; none where it is not there.
  func files(in folder: String) -> [String] { self.folder.files(in: folder) }

  func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
    try await launch(try ToolExecutable.find(), arguments, environment)
  }

  /// Runs a shell's command, in which `$TOOL` is the tool.
  func shell(_ command: String) async throws -> Outcome {
    let tool = try ToolExecutable.find().path
    return try await launch(URL(fileURLWithPath: "/bin/sh"), ["-c", command], ["TOOL": tool])
  }

  /// Adds a program to the folder `bin`: a shell's script.
  ///
  /// A shell writes it: this process might be starting another at that moment, which would have the
  /// file open.
  func addProgram(_ name: String, _ script: String) async throws {
    try write("#!/bin/sh\n\(script)\n", to: "bin/\(name).sh")
    _ = try await shell("cp bin/\(name).sh bin/\(name); chmod 755 bin/\(name)")
  }

  /// Whether ``runAsOrdinaryUser(_:)`` can do what it says: root has a way to become another user,
  /// and that user may go where tests have their folders.
  static let canBeOrdinary =
    geteuid() != 0
    || FileManager.default.isExecutableFile(atPath: setpriv) && isOpenToAll(temporaryFolder)

  /// Where tests have their folders.
  private static let temporaryFolder = FileManager.default.temporaryDirectory
    .resolvingSymlinksInPath()

  /// Whether every user may go through a folder and those above it.
  private static func isOpenToAll(_ folder: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
    guard let permissions = attributes?[.posixPermissions] as? Int, permissions & 0o001 != 0 else {
      return false
    }
    return folder.path == "/" || isOpenToAll(folder.deletingLastPathComponent())
  }

  /// The program by which root becomes another user.
  private static let setpriv = "/usr/bin/setpriv"
  /// The number of the user and the group `nobody`.
  private static let nobody: UInt32 = 65_534

  /// Runs the tool as a user whom permissions bind: as this one, or as `nobody` where this is root.
  ///
  /// The tool is copied here and called by a path that begins here, for what it was built in may be
  /// closed to `nobody`.
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

  /// Runs a program to its end; files take its output, so that no pipe can fill up.
  ///
  /// The kit's own way to run tools does it, for Foundation's `Process` is not there on iOS, where
  /// these tests are compiled.
  private func launch(
    _ program: URL, _ arguments: [String], _ environment: [String: String]
  ) async throws -> Outcome {
    let streams = try TestFolder()
    let files = ["output", "errors"].map { streams.url($0) }
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
