import Foundation
import ProcessCost

/// Measures what exploration costs, and says whether its limits are kept.
///
/// The time is user and system time of the released tool, its start included, the least of some
/// rounds: for all of the kit's scenarios, compared with the time of running them, and for some
/// that grow. What grows by its nature is said beside each.
///
/// The optional argument says how many rounds. The status is 1 if a limit is not kept, or something
/// is found.
@main struct ExploreBenchmark {
  /// A scenario with lines that are repeated.
  private struct Series {
    let name: String
    let files: String
    /// The lines of one repetition; `#` is its number.
    let lines: [String]
    /// The largest power of n by which the time may grow between two measurements.
    let largestPower: Double
    /// How often the lines are repeated, in the two measurements.
    var counts = (30, 300)
    /// The most bytes of memory that the larger measurement may take; nil for any number.
    var mostBytes: Double?
    /// Whether the lines are those of a shell that one step of the app runs.
    var isOneStep = false
  }

  /// How many times as long as running them exploring all scenarios may take, by how many events
  /// are injected.
  private static let longestTimes = [1: 7.0, 2: 27.0]
  private static let series = [
    Series(
      name: "saves", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/#', size: 1 }"], largestPower: 1.5),
    Series(
      name: "saves of different sizes", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/#', size: # }"], largestPower: 1.5, mostBytes: 80e6),
    // The device is in another state at each point, and each of them is explored.
    Series(
      name: "saves of one file", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/notes', size: # }"], largestPower: 1.8),
    // A purge at each point leaves another state for the rest of the plan.
    Series(
      name: "save and read", files: "'Library/Caches/**': 'cached'",
      lines: [
        "{ save: 'Library/Caches/#', size: 1 }",
        "{ read: 'Library/Caches/#', ifMissing: 'recreate', size: 1 }",
      ], largestPower: 1.5),
    // Each state has all backups so far, and each backup all files.
    Series(
      name: "save and backup", files: "'Documents/**': 'critical'",
      lines: ["{ save: 'Documents/#', size: 1 }", "{ backup: 'night #' }"], largestPower: 1.8,
      mostBytes: 300e6),
    // The app is killed before each change, and each time does again what was before that.
    Series(
      name: "atomic saves in a step", files: "'Documents/**': 'critical'",
      lines: ["echo new > Documents/.new; mv Documents/.new Documents/#;"], largestPower: 2.2,
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

  /// Prints what all scenarios take; false if that is too much.
  private func measureScenarios() throws -> Bool {
    var isKept = true
    let (run, _) = try measure(["run", "--record", "never"])
    for (depth, longest) in Self.longestTimes.sorted(by: { $0.key < $1.key }) {
      let (cost, report) = try explore([], depth: depth)
      let summary = report.last ?? ""
      print(summary)
      let traces = summary.firstMatch(of: /([0-9]+) traces/).flatMap { Double($0.1) } ?? 0
      print(String(format: "depth %d: %.0f traces per second", depth, traces / cost.seconds))
      isKept =
        Self.judge("depth \(depth): times of a run", cost.seconds / run.seconds, atMost: longest)
        && isKept
    }
    return isKept
  }

  /// Prints what a series takes, and by which power that grows; false if a limit is not kept.
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
    guard let small = times[counts.0], let large = times[counts.1] else { return false }
    print(String(format: "%@: %.2f s for %d", series.name, large, counts.1))
    let isSmall =
      series.mostBytes.map {
        Self.judge("\(series.name): MB for \(counts.1)", bytes / 1e6, atMost: $0 / 1e6)
      } ?? true
    return Self.judge(
      "\(series.name): power of n from \(counts.0) to \(counts.1)",
      log(large / small) / log(Double(counts.1) / Double(counts.0)), atMost: series.largestPower)
      && isSmall
  }

  private static func judge(_ what: String, _ value: Double, atMost most: Double) -> Bool {
    let name = what.padding(toLength: 48, withPad: " ", startingAt: 0)
    print(
      String(format: "%@ %8.2f, at most %.1f", name, value, most), value <= most ? "OK" : "FAILED")
    return value <= most
  }

  /// Explores what words name, all scenarios if there is none, with so many events of the system's
  /// in each trace.
  private func explore(
    _ words: [String], depth: Int
  ) throws -> (cost: ProcessCost, report: [String]) {
    try measure(["explore"] + words + ["--depth", "\(depth)", "--budget", "1000000"])
  }

  /// Runs the tool.
  ///
  /// - Parameter words: Its arguments.
  /// - Returns: The least user and system time and memory, and the lines that it prints.
  /// - Throws: ``ProcessFailure`` if it cannot be run or fails.
  private func measure(_ words: [String]) throws -> (cost: ProcessCost, report: [String]) {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("explore-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    var least: ProcessCost?
    var report: [String] = []
    for _ in 0..<rounds {
      let (cost, status) = try ProcessCost.run(tool, words, output: output)
      report = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        .map(String.init)
      guard status == 0 else {
        throw ProcessFailure(
          "\(tool.path) \(words.joined(separator: " ")): status \(status): \(report.last ?? "")")
      }
      least = least?.least(cost) ?? cost
    }
    guard let least else { throw ProcessFailure("nothing was measured") }
    return (least, report)
  }
}
