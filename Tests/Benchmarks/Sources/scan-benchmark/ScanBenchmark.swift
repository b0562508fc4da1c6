import BackupTesting
import CTreeWalk
import Foundation
import ProcessCost

/// Compares the kit's scan with the same in C, and says whether the scanner's figures are kept.
///
/// Times are user and system time, the least of rounds in which the passes take turns, so that a
/// busy machine slows all of them alike. Optional arguments: how often each runs, and the folder to
/// make the containers in, which should be one in memory, such as `/dev/shm`.
@main enum ScanBenchmark {
  /// How many files the containers have.
  private static let (files, manyFiles) = (100_000, 1_000_000)
  /// How often a pass runs over the larger container, which takes long to make already.
  private static let fewRounds = 5

  /// Measures, prints and fails where a figure is not kept.
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

  /// The folder that an argument names, or else one in memory where there is one.
  private static func folder(in arguments: ArraySlice<String>) -> URL? {
    arguments.first.map { URL(fileURLWithPath: $0) } ?? MemoryFolder.url
  }

  /// The figures of scanning: beside C, of ten times the files, and memory.
  private static func scanFigures(rounds: Int, in folder: URL?) throws -> [Figure] {
    let container = try Workload.make(files, in: folder)
    let many = try Workload.make(manyFiles, in: folder)
    defer { for container in [container, many] { try? container.remove() } }
    let times = try measure(rounds: rounds, container)
    report(times)
    let usual = times[Pass.scanAndDecide.name] ?? 0
    let large = try least(of: min(rounds, fewRounds)) { try Pass.scanAndDecide.time(on: many) }
    let largeInC = try least(of: min(rounds, fewRounds)) { try Pass.scanInC.time(on: many) }
    let ratioInC = largeInC / (times[Pass.scanInC.name] ?? 1)
    print(String(format: "the C scan of %d files takes %.2f times its own", manyFiles, ratioInC))
    let inspections = try InspectionProbe.ratios(of: container, rounds: rounds, in: folder)
    let isLimited = ctw_has_listxattrat() != 0
    if !isLimited { print("this kernel has no listxattrat: no limit for the first figure") }
    return [
      Figure(
        name: "scan and decide of \(files) files", value: usual / (times[Pass.scanInC.name] ?? 1),
        limit: isLimited ? 1.15 : .infinity, unit: "times the C scan"),
      Figure(
        name: "scan and decide of \(manyFiles) files", value: large / usual, limit: 10.5,
        unit: "times that"),
      Figure(
        name: "inspect \(files) files as text", value: inspections.text, limit: 1.3,
        unit: "times a scan"),
      Figure(
        name: "inspect \(files) files as JSON", value: inspections.json, limit: 5.7,
        unit: "times text"),
      Figure(
        name: "memory of tree and decisions of \(manyFiles) files",
        value: try MemoryProbe.measure(many, in: folder), limit: 150, unit: "bytes an item"),
    ]
  }

  /// What deciding on names that end in `.dat` costs beside others.
  private static func remnantFigure(rounds: Int) throws -> Figure {
    guard let profile = SystemProfile.newest else { throw WalkFailure() }
    let simulator = BackupSimulator(profile: profile)
    let trees = try [".json", ".dat"].map { try Workload.tree(files, suffix: $0) }
    var times = [Double.infinity, .infinity]
    for _ in 0..<rounds {
      for (index, tree) in trees.enumerated() {
        times[index] = min(times[index], CPUTime.of { simulator.backUp(tree) })
      }
    }
    return Figure(
      name: "decide on \(files) .dat files", value: times[1] / times[0], limit: 1.5,
      unit: "times other files")
  }

  /// The least time of every pass by its name; the first round only warms up and checks that all
  /// see the same.
  private static func measure(
    rounds: Int, _ container: FakeContainer
  ) throws -> [String: Double] {
    let sightings = try Pass.all.map { try $0.run(container)() }
    guard Set(sightings.map(\.description)).count == 1 else {
      throw Disagreement(description: "\(sightings)")
    }
    print("\(sightings[0]), \(Workload.filesInEach) files in a directory")
    var times: [String: Double] = [:]
    for _ in 0..<rounds {
      for pass in Pass.all {
        times[pass.name] = min(times[pass.name] ?? .infinity, try pass.time(on: container))
      }
    }
    return times
  }

  /// The least of some measurements.
  private static func least(of rounds: Int, _ measure: () throws -> Double) rethrows -> Double {
    try (0..<rounds).reduce(.infinity) { least, _ in min(least, try measure()) }
  }

  /// Prints a line for each pass, with its ratio to the first.
  private static func report(_ times: [String: Double]) {
    let base = times[Pass.scanInC.name] ?? 1
    for pass in Pass.all {
      let time = times[pass.name] ?? 0
      let name = pass.name.padding(toLength: 22, withPad: " ", startingAt: 0)
      print(name, String(format: "%8.1f ms %6.2f x", 1_000 * time, time / base))
    }
  }
}

/// Two passes that did not see the same items and marks.
struct Disagreement: Error, CustomStringConvertible {
  let description: String
}
