import Foundation
import ProcessCost

/// Measures what a run of all of the kit's scenarios costs, and says whether its figures are kept.
///
/// The system calls, which strace(1) counts, and the allocations of the released tool have limits,
/// since the load of the machine does not change them. The time is user and system time, the least
/// of some rounds, and has none. The optional argument is the number of rounds. The status is 1 if
/// a limit is exceeded or a scenario fails.
@main struct SuiteBenchmark {
  private static let mostAllocations = 800_000
  private static let mostCalls = 12_000

  /// The released tool, which is built beside this program.
  private let tool: String
  /// Where the containers are made and what is printed goes.
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
    let isKept: Bool
    do {
      defer { try? FileManager.default.removeItem(at: folder) }
      isKept = try SuiteBenchmark(tool: tool, folder: folder).measure(rounds: rounds)
    }
    if !isKept { exit(1) }
  }

  /// Prints both figures; false where one is not kept.
  private func measure(rounds: Int) throws -> Bool {
    let times = try (0..<max(1, rounds)).map { _ in try run(tool, Self.arguments) }
    print(try summary())
    print(String(format: "%@ %.3f s", Self.name("user and system time"), times.min() ?? .infinity))
    let areKept = [
      Self.judge("system calls", try systemCalls(), atMost: Self.mostCalls),
      Self.judge("allocations", try allocations(), atMost: Self.mostAllocations),
    ]
    return !areKept.contains(false)
  }

  private static func name(_ figure: String) -> String {
    figure.padding(toLength: 24, withPad: " ", startingAt: 0)
  }

  /// Prints a figure, which is nil if it cannot be counted here; false if it exceeds its limit.
  private static func judge(_ figure: String, _ count: Int?, atMost most: Int) -> Bool {
    guard let count else {
      print("SKIPPED: \(figure) cannot be counted on this machine")
      return true
    }
    print("\(name(figure)) \(count), at most \(most)", count <= most ? "OK" : "FAILED")
    return count <= most
  }

  /// The number of allocations of a run; nil if they cannot be counted.
  private func allocations() throws -> Int? {
    let counts = folder.appendingPathComponent("allocations")
    guard Allocations.beginCounting(into: counts) else { return nil }
    try run(tool, Self.arguments)
    return Allocations.take(from: counts).map { Int($0.count) }
  }

  /// What the tool is called with.
  private static let arguments = ["run", "--record", "never"]

  /// The last line that the tool printed.
  private func summary() throws -> Substring {
    try String(contentsOf: output, encoding: .utf8).split(separator: "\n").last ?? ""
  }

  /// How many system calls a run makes; nil without strace, or if it may not trace.
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

  /// Where what a process prints goes.
  private var output: URL { folder.appendingPathComponent("output") }

  /// Runs a process to its end.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - words: Its arguments.
  /// - Returns: Its user and system time, in seconds.
  /// - Throws: ``ProcessFailure`` where it cannot be run or fails.
  @discardableResult
  private func run(_ path: String, _ words: [String]) throws -> Double {
    let (cost, status) = try ProcessCost.run(URL(fileURLWithPath: path), words, output: output)
    guard status == 0 else {
      throw ProcessFailure(
        "\(path) \(words.joined(separator: " ")): status \(status): \(try summary())")
    }
    return cost.seconds
  }
}
