@_spi(Benchmarks) import BackupExploration
import BackupScenarios
import Foundation
import ProcessCost

/// Measures what exploration costs, and says whether its figures are kept.
///
/// The time is user and system time, the least of some rounds. Two figures are the released tool's,
/// its start included: for all of the kit's scenarios, and for one of a hundred items and 48 nights in
/// which hardly anything but the system acts, up to four times, with all rules judged. The third is
/// that of the core alone, in this process: the system acts two million times in a row on the hundred
/// items, without a judgement.
///
/// Of both rates this is what is counted: each time that the system acts in a history. What an act
/// leads to from a state is computed once and then remembered, also for histories of other acts that
/// come to the same state; so neither figure is that of the simulators.
///
/// The optional argument says how many rounds. The status is 1 where a limit is not kept or something
/// is found.
@main struct ExploreBenchmark {
  /// The most time that all scenarios may take, in seconds, by how often the system acts.
  private static let longestTimes = [1: 2.0, 2: 15.0]
  /// The fewest acts of the system in a second, with all rules judged.
  private static let fewestActs = 100_000.0
  /// The fewest events of the system in a second, in the core alone.
  private static let fewestEvents = 1_000_000.0
  /// The scenario of a hundred items.
  private static let hundredItems = "Tests/Benchmarks/Exploration/hundred-items.json5"

  /// The released tool, which is built beside this program.
  private let tool: URL
  /// How many rounds there are.
  private let rounds: Int

  /// Measures and prints.
  static func main() async {
    do {
      if try await !isEachLimitKept() { exit(1) }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  /// Measures and prints; false where a limit is not kept.
  private static func isEachLimitKept() async throws -> Bool {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardized
    guard FileManager.default.changeCurrentDirectoryPath(root.path) else {
      throw ProcessFailure("\(root.path): expected the kit's checkout")
    }
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing")
    let benchmark = ExploreBenchmark(tool: tool, rounds: max(1, rounds))
    return ![
      try benchmark.measureScenarios(), try benchmark.measureActs(),
      try await benchmark.measureCore(),
    ].contains(false)
  }

  /// Prints what all scenarios take; false where that is too much.
  private func measureScenarios() throws -> Bool {
    var isKept = true
    for (depth, longest) in Self.longestTimes.sorted(by: { $0.key < $1.key }) {
      let (seconds, report) = try explore([], depth: depth)
      print(report.last ?? "")
      let isQuick = seconds <= longest
      print(
        String(
          format: "depth %d: user and system time %18.2f s, at most %.1f s", depth, seconds, longest
        ),
        isQuick ? "OK" : "FAILED")
      isKept = isKept && isQuick
    }
    return isKept
  }

  /// Prints how many acts of the system there are in a second; false where these are too few.
  private func measureActs() throws -> Bool {
    let (seconds, report) = try explore([Self.hundredItems], depth: 4)
    print(report.first ?? "")
    // Each history has one act more than the one that it branches off; a new device is two.
    let acts =
      try Self.number(before: "histories", in: report) + Self.number(before: "rest", in: report)
    let perSecond = Double(acts) / seconds
    let isQuick = perSecond >= Self.fewestActs
    print(
      String(
        format: "acts of the system in a second %18.0f, at least %.0f", perSecond, Self.fewestActs),
      isQuick ? "OK" : "FAILED")
    return isQuick
  }

  /// Prints how many events of the system the core alone has in a second; false where these are too
  /// few.
  private func measureCore() async throws -> Bool {
    let text = try String(contentsOf: URL(fileURLWithPath: Self.hundredItems), encoding: .utf8)
    let scenario = try Scenario(text: text)
    var (most, states) = (0.0, 0)
    for _ in 0..<rounds {
      guard var walk = try await SystemWalk(scenario) else { break }
      let start = clock()
      let events = try await walk.go(2_000_000)
      let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
      (most, states) = (max(most, Double(events) / seconds), walk.stateCount)
    }
    let isQuick = most >= Self.fewestEvents
    print(
      String(
        format: "core: events in a second %24.0f, at least %.0f, in %d states", most,
        Self.fewestEvents, states), isQuick ? "OK" : "FAILED")
    return isQuick
  }

  /// The number that stands before a word in a report.
  private static func number(before word: String, in report: [String]) throws -> Int {
    let words = report.first?.split { $0 == " " || $0 == "," } ?? []
    guard let index = words.firstIndex(of: Substring(word)), index > 0,
      let number = Int(words[index - 1])
    else { throw ProcessFailure("the report does not say how many \(word) there are") }
    return number
  }

  /// Explores scenarios.
  ///
  /// - Parameters:
  ///   - scenarios: Which; none for all.
  ///   - depth: How often the system acts.
  /// - Returns: The least user and system time, in seconds, and the lines of the report.
  /// - Throws: ``ProcessFailure`` where it cannot be done or something is found.
  private func explore(
    _ scenarios: [String], depth: Int
  ) throws -> (seconds: Double, report: [String]) {
    let output = FileManager.default.temporaryDirectory
      .appendingPathComponent("explore-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let words = ["explore"] + scenarios + ["--depth", "\(depth)", "--budget", "1000000"]
    var least = Double.infinity
    var report: [String] = []
    for _ in 0..<rounds {
      let (cost, status) = try ProcessCost.run(tool, words, output: output)
      report = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        .map(String.init)
      guard status == 0 else {
        throw ProcessFailure(
          "\(tool.path) \(words.joined(separator: " ")): status \(status): \(report.last ?? "")")
      }
      least = min(least, cost.seconds)
    }
    return (least, report)
  }
}
