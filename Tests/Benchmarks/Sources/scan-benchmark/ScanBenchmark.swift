import BackupTesting
import CTreeWalk
import Foundation
import ProcessCost

/// Compares the kit's scan with a scan in C, and checks the figures against their limits.
///
/// Times are user and system time, the least of several rounds. In each round, the passes run one
/// after the other, so that a busy machine slows all of them. The optional arguments are the number
/// of rounds and the folder for the containers. Use a folder in memory, for example `/dev/shm`.
///
/// The exit status is 1 if a limit is exceeded.
@main enum ScanBenchmark {
  /// The numbers of files in the two containers.
  private static let (fileCount, largeFileCount) = (100_000, 1_000_000)
  /// The most rounds on the larger container, because each takes long.
  private static let fewRounds = 5

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == MemoryProbe.argument, arguments.count > 1 {
      return try MemoryProbe.run(
        URL(fileURLWithPath: arguments[1]), in: folder(in: arguments.dropFirst(2)))
    }
    if arguments.first == InspectionProbe.argument, arguments.count > 1 {
      return try InspectionProbe.run(
        URL(fileURLWithPath: arguments[1]), in: Self.folder(in: arguments.dropFirst(2)))
    }
    let rounds = arguments.first.flatMap { Int($0) } ?? 25
    let folder = folder(in: arguments.dropFirst())
    var figures = try scanFigures(rounds: rounds, in: folder)
    figures.append(try remnantFigure(rounds: rounds))
    print("user and system time, the least of \(rounds) rounds, taking turns")
    for figure in figures { print(figure.line) }
    if !figures.allSatisfy(\.isKept) { exit(1) }
  }

  /// Returns the folder in the first argument, or a folder in memory; nil if there is neither.
  private static func folder(in arguments: ArraySlice<String>) -> URL? {
    arguments.first.map { URL(fileURLWithPath: $0) } ?? MemoryFolder.url
  }

  /// Returns the figures of scans and inspections: their time, and the memory of a scan.
  private static func scanFigures(rounds: Int, in folder: URL?) throws -> [Figure] {
    let container = try Workload.make(fileCount, in: folder)
    let largeContainer = try Workload.make(largeFileCount, in: folder)
    defer { for container in [container, largeContainer] { try? container.remove() } }
    let times = try measure(rounds: rounds, container)
    report(times)
    let time = times[Pass.scanAndDecide.name] ?? 0
    let largeTime = try least(of: min(rounds, fewRounds)) {
      try Pass.scanAndDecide.time(on: largeContainer)
    }
    let largeTimeInC = try least(of: min(rounds, fewRounds)) {
      try Pass.scanInC.time(on: largeContainer)
    }
    let ratioInC = largeTimeInC / (times[Pass.scanInC.name] ?? 1)
    print(
      String(format: "the C scan of %d files takes %.2f times its own", largeFileCount, ratioInC))
    let inspections = try InspectionProbe.ratios(of: container, rounds: rounds, in: folder)
    let isLimited = ctw_has_listxattrat() != 0
    if !isLimited { print("this kernel has no listxattrat: no limit for the first figure") }
    return [
      Figure(
        name: "scan and decide of \(fileCount) files",
        value: time / (times[Pass.scanInC.name] ?? 1), limit: isLimited ? 1.15 : .infinity,
        unit: "times the C scan"),
      Figure(
        name: "scan and decide of \(largeFileCount) files", value: largeTime / time, limit: 10.5,
        unit: "times that"),
      Figure(
        name: "inspect \(fileCount) files as text", value: inspections.text, limit: 1.3,
        unit: "times a scan"),
      Figure(
        name: "inspect \(fileCount) files as JSON", value: inspections.json, limit: 5.7,
        unit: "times text"),
      Figure(
        name: "memory of tree and decisions of \(largeFileCount) files",
        value: try MemoryProbe.measure(largeContainer, in: folder), limit: 150,
        unit: "bytes an item"),
    ]
  }

  /// Compares the time of backup decisions on names that end in `.dat` with that on other names.
  private static func remnantFigure(rounds: Int) throws -> Figure {
    guard let profile = SystemProfile.newest else { throw WalkFailure() }
    let simulator = BackupSimulator(profile: profile)
    let trees = try [".json", ".dat"].map { try Workload.tree(fileCount, suffix: $0) }
    var times = [Double.infinity, .infinity]
    for _ in 0..<rounds {
      for (index, tree) in trees.enumerated() {
        times[index] = min(times[index], CPUTime.of { simulator.backUp(tree) })
      }
    }
    return Figure(
      name: "decide on \(fileCount) .dat files", value: times[1] / times[0], limit: 1.5,
      unit: "times other files")
  }

  /// Returns the least time of each pass by its name.
  ///
  /// A first round is not measured. It checks that all passes count the same items.
  private static func measure(
    rounds: Int, _ container: FakeContainer
  ) throws -> [String: Double] {
    let counts = try Pass.all.map { try $0.run(container)() }
    guard Set(counts.map(\.description)).count == 1 else {
      throw Disagreement(description: "\(counts)")
    }
    print("\(counts[0]), \(Workload.filesPerDirectory) files in a directory")
    var times: [String: Double] = [:]
    for _ in 0..<rounds {
      for pass in Pass.all {
        times[pass.name] = min(times[pass.name] ?? .infinity, try pass.time(on: container))
      }
    }
    return times
  }

  /// Measures several times, and returns the least value.
  private static func least(of rounds: Int, _ measure: () throws -> Double) rethrows -> Double {
    try (0..<rounds).reduce(.infinity) { least, _ in min(least, try measure()) }
  }

  /// Prints a line for each pass, with its time as a multiple of the C scan's.
  private static func report(_ times: [String: Double]) {
    let base = times[Pass.scanInC.name] ?? 1
    for pass in Pass.all {
      let time = times[pass.name] ?? 0
      let name = pass.name.padding(toLength: 22, withPad: " ", startingAt: 0)
      print(name, String(format: "%8.1f ms %6.2f x", 1_000 * time, time / base))
    }
  }
}

/// The passes count different items or marks.
struct Disagreement: Error, CustomStringConvertible {
  let description: String
}
