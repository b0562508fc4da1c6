import Foundation
import ProcessCost

/// Measures the cost of a run of all the kit's scenarios, and checks it against limits.
///
/// The released tool's system calls, which strace(1) counts, and its allocations have limits,
/// because they do not depend on the load of the machine. The time has no limit. It is user and
/// system time, the least of several rounds.
///
/// The optional argument is the number of rounds. The exit status is 1 if a limit is exceeded or a
/// scenario fails.
@main struct SuiteBenchmark {
  private static let mostAllocations = 800_000
  private static let mostCalls = 12_000

  /// The path of the released tool, which is built beside this program.
  private let tool: String
  /// The folder for the containers and the output.
  private let folder: URL

  static func main() throws {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 25
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
    guard FileManager.default.changeCurrentDirectoryPath(root.path) else {
      throw ProcessFailure("\(root.path): expected the kit's checkout")
    }
    let folder = (MemoryFolder.url ?? FileManager.default.temporaryDirectory)
      .appendingPathComponent("suite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    setenv("TMPDIR", folder.path, 1)
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing").path
    let isWithinLimits: Bool
    do {
      defer { try? FileManager.default.removeItem(at: folder) }
      isWithinLimits = try SuiteBenchmark(tool: tool, folder: folder).measure(rounds: rounds)
    }
    if !isWithinLimits { exit(1) }
  }

  /// Measures runs, and prints the figures; false if a limit is exceeded.
  private func measure(rounds: Int) throws -> Bool {
    let times = try (0..<max(1, rounds)).map { _ in try run(tool, Self.arguments) }
    print(try summary())
    print(
      String(format: "%@ %.3f s", Self.padded("user and system time"), times.min() ?? .infinity))
    let verdicts = [
      Self.judge("system calls", try systemCalls(), atMost: Self.mostCalls),
      Self.judge("allocations", try allocations(), atMost: Self.mostAllocations),
    ]
    return !verdicts.contains(false)
  }

  private static func padded(_ name: String) -> String {
    name.padding(toLength: 24, withPad: " ", startingAt: 0)
  }

  /// Prints a count and its limit; false if the count exceeds the limit. A nil count is skipped.
  private static func judge(_ name: String, _ count: Int?, atMost limit: Int) -> Bool {
    guard let count else {
      print("SKIPPED: \(name) cannot be counted on this machine")
      return true
    }
    print("\(padded(name)) \(count), at most \(limit)", count <= limit ? "OK" : "FAILED")
    return count <= limit
  }

  /// The number of allocations of a run; nil if they cannot be counted.
  private func allocations() throws -> Int? {
    let counts = folder.appendingPathComponent("allocations")
    guard Allocations.beginCounting(into: counts) else { return nil }
    try run(tool, Self.arguments)
    return Allocations.take(from: counts).map { Int($0.count) }
  }

  private static let arguments = ["run", "--record", "never"]

  /// The last line that the tool printed.
  private func summary() throws -> Substring {
    try String(contentsOf: output, encoding: .utf8).split(separator: "\n").last ?? ""
  }

  /// The number of system calls of a run; nil if strace is missing or must not trace a process.
  private func systemCalls() throws -> Int? {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let tracers = paths.map { "\($0)/strace" }
    guard let tracer = tracers.first(where: FileManager.default.isExecutableFile) else {
      return nil
    }
    guard (try? run(tracer, ["-o", "/dev/null", "true"])) != nil else { return nil }
    let counts = folder.appendingPathComponent("counts")
    try run(
      tracer, ["-f", "-c", "-U", "calls,name", "-o", counts.path, tool] + Self.arguments)
    let lines = try String(contentsOf: counts, encoding: .utf8).split(separator: "\n")
    let total = lines.last { $0.hasSuffix(" total") }
    return total.flatMap { $0.split(separator: " ").first }.flatMap { Int($0) }
  }

  /// The file for the output of each process.
  private var output: URL { folder.appendingPathComponent("output") }

  /// Runs a process to its end.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: The program's arguments.
  /// - Returns: The user and system time, in seconds.
  /// - Throws: ``ProcessFailure`` if the program cannot be run or fails.
  @discardableResult
  private func run(_ path: String, _ arguments: [String]) throws -> Double {
    let (cost, status) = try ProcessCost.run(
      URL(fileURLWithPath: path), arguments, output: output)
    guard status == 0 else {
      throw ProcessFailure(
        "\(path) \(arguments.joined(separator: " ")): status \(status): \(try summary())")
    }
    return cost.seconds
  }
}
