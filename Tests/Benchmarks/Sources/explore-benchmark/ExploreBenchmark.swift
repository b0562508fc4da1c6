import Foundation
import ProcessCost

/// Measures the cost of exploration, and checks it against limits.
///
/// The benchmark compares an exploration of all the kit's scenarios with a run of them. It also
/// measures how the time grows with the length of a scenario. All times are user and system time of
/// the released tool, including its start, and the least of several rounds.
///
/// The optional argument is the number of rounds. The exit status is 1 if a limit is exceeded, or
/// if an exploration has findings.
@main struct ExploreBenchmark {
  /// A scenario whose lines are repeated n times.
  private struct Series {
    let name: String
    /// The entries of the scenario's key `files`.
    let files: String
    /// The lines of one repetition. `#` stands for the number of the repetition.
    let lines: [String]
    /// The largest exponent of n by which the time may grow between the two measurements. Comments
    /// at the series say why it is above 1.
    let largestExponent: Double
    /// The smaller and the larger n.
    var counts = (30, 300)
    /// The most memory for the larger n, in bytes; nil for no limit.
    var mostBytes: Double?
    /// True if the lines are shell commands, which one `run` step executes.
    var isOneStep = false
  }

  /// The longest exploration of all scenarios, as a multiple of a run, for each depth.
  private static let longestTimes = [1: 7.0, 2: 27.0]
  private static let series = [
    Series(
      name: "saves", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/#', size: 1 }"], largestExponent: 1.5),
    Series(
      name: "saves of different sizes", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/#', size: # }"], largestExponent: 1.5, mostBytes: 80e6),
    // Each point has another state, and exploration continues from each of them.
    Series(
      name: "saves of one file", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/notes', size: # }"], largestExponent: 1.8),
    // A purge at each point leaves another state for the remaining steps.
    Series(
      name: "save and read", files: "'Library/Caches/**': 'cached'",
      lines: [
        "{ save: 'Library/Caches/#', size: 1 }",
        "{ read: 'Library/Caches/#', ifMissing: 'recreate', size: 1 }",
      ], largestExponent: 1.5),
    // Each state has all earlier backups, and each backup has all files.
    Series(
      name: "save and backup", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/#', size: 1 }", "{ backup: 'night #' }"], largestExponent: 1.8,
      mostBytes: 300e6),
    // After each kill, the app repeats all earlier changes of the step.
    Series(
      name: "atomic saves in a step", files: "'Documents/**': 'critical'",
      lines: ["echo new > Documents/.new; mv Documents/.new Documents/#;"], largestExponent: 2.2,
      counts: (5, 15), isOneStep: true),
  ]

  /// The released tool, which is built beside this program.
  private let tool: URL
  private let rounds: Int

  static func main() {
    do {
      if try !isEachLimitKept() { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func isEachLimitKept() throws -> Bool {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
    guard FileManager.default.changeCurrentDirectoryPath(root.path) else {
      throw ProcessFailure("\(root.path): expected the kit's checkout")
    }
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing")
    let benchmark = ExploreBenchmark(tool: tool, rounds: max(1, rounds))
    return try !([benchmark.measureScenarios()] + series.map(benchmark.measure)).contains(false)
  }

  /// Measures explorations of all scenarios, and prints the result; false if a limit is exceeded.
  private func measureScenarios() throws -> Bool {
    var isWithinLimits = true
    let (run, _) = try measure(["run", "--record", "never"])
    for (depth, longest) in Self.longestTimes.sorted(by: { $0.key < $1.key }) {
      let (cost, report) = try explore([], depth: depth)
      let summary = report.last ?? ""
      print(summary)
      let traces = summary.firstMatch(of: /([0-9]+) traces/).flatMap { Double($0.1) } ?? 0
      print(String(format: "depth %d: %.0f traces per second", depth, traces / cost.seconds))
      isWithinLimits =
        Self.judge("depth \(depth): times of a run", cost.seconds / run.seconds, atMost: longest)
        && isWithinLimits
    }
    return isWithinLimits
  }

  /// Measures a series, and prints its cost and growth; false if a limit is exceeded.
  private func measure(_ series: Series) throws -> Bool {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("explore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var times: [Int: Double] = [:]
    var bytes = 0.0
    let counts = series.counts
    for count in [counts.0, counts.1] {
      var lines = (1...count).flatMap { number in
        series.lines.map { $0.replacing("#", with: "\(number)") }
      }
      if series.isOneStep {
        let shell = "\(lines.joined(separator: " "))"
        lines = ["{ run: ['sh', '-c', '\(shell)'] }"]
      }
      let file = folder.appendingPathComponent("series.json5")
      let text =
        "{ title: 'A series', files: { \(series.files) }, steps: [\n"
        + lines.map { "  \($0),\n" }.joined() + "  { backup: 'at the end' },\n] }\n"
      try Data(text.utf8).write(to: file)
      let permission = series.isOneStep ? ["--allow-run"] : []
      let (cost, report) = try explore([file.path] + permission, depth: 1)
      // Without the library that records changes, nothing is explored within the step.
      guard report.contains(where: { $0.contains(" traces, complete") }) else {
        throw ProcessFailure("\(series.name): not all was explored: \(report)")
      }
      (times[count], bytes) = (cost.seconds, cost.bytes)
    }
    guard let shorter = times[counts.0], let longer = times[counts.1] else { return false }
    print(String(format: "%@: %.2f s for %d", series.name, longer, counts.1))
    let isWithinMemoryLimit =
      series.mostBytes.map {
        Self.judge("\(series.name): MB for \(counts.1)", bytes / 1e6, atMost: $0 / 1e6)
      } ?? true
    return Self.judge(
      "\(series.name): power of n from \(counts.0) to \(counts.1)",
      log(longer / shorter) / log(Double(counts.1) / Double(counts.0)),
      atMost: series.largestExponent)
      && isWithinMemoryLimit
  }

  /// Prints a value and its limit; false if the value exceeds the limit.
  private static func judge(_ name: String, _ value: Double, atMost limit: Double) -> Bool {
    let paddedName = name.padding(toLength: 48, withPad: " ", startingAt: 0)
    print(
      String(format: "%@ %8.2f, at most %.1f", paddedName, value, limit),
      value <= limit ? "OK" : "FAILED")
    return value <= limit
  }

  /// Explores the scenarios that the arguments name, or all scenarios if there are no arguments.
  private func explore(
    _ arguments: [String], depth: Int
  ) throws -> (cost: ProcessCost, report: [String]) {
    try measure(["explore"] + arguments + ["--depth", "\(depth)", "--budget", "1000000"])
  }

  /// Runs the tool several times.
  ///
  /// - Parameter arguments: The tool's arguments.
  /// - Returns: The least time and memory, and the lines that the tool prints.
  /// - Throws: ``ProcessFailure`` if the tool cannot be run or fails.
  private func measure(_ arguments: [String]) throws -> (cost: ProcessCost, report: [String]) {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("explore-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    var least: ProcessCost?
    var report: [String] = []
    for _ in 0..<rounds {
      let (cost, status) = try ProcessCost.run(tool, arguments, output: output)
      report = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        .map(String.init)
      guard status == 0 else {
        let command = "\(tool.path) \(arguments.joined(separator: " "))"
        throw ProcessFailure("\(command): status \(status): \(report.last ?? "")")
      }
      least = least?.least(cost) ?? cost
    }
    guard let least else { throw ProcessFailure("nothing was measured") }
    return (least, report)
  }
}
