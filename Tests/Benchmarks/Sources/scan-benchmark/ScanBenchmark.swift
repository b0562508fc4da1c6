import BackupTesting
import Foundation

/// Compares the passes over one container and prints medians and ratios.
///
/// The passes take turns, so that a busy machine slows all of them alike. Optional arguments: how
/// often each runs, and the folder to make the container in.
@main enum ScanBenchmark {
  /// Makes the container, times the passes and removes it again.
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let rounds = arguments.first.flatMap { Int($0) } ?? 11
    let folder = arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
    let container = try Workload.make(in: folder ?? FileManager.default.temporaryDirectory)
    let times = try measure(rounds: rounds, container)
    try container.remove()
    report(times, rounds: rounds)
  }

  /// Runs every pass in turn; the first round only warms up and checks that all see the same.
  private static func measure(rounds: Int, _ container: FakeContainer) throws -> [[Duration]] {
    let sightings = try Pass.all.map { try $0.run(container)() }
    guard Set(sightings.map(\.description)).count == 1 else {
      throw Disagreement(description: "\(sightings)")
    }
    print("\(sightings[0]), \(Workload.directories) directories of files")
    var times = Pass.all.map { _ in [Duration]() }
    for _ in 0..<rounds {
      for (index, pass) in Pass.all.enumerated() {
        times[index].append(try time(of: pass, container))
      }
    }
    return times
  }

  /// How long one run takes; what it made is given up when the clock has stopped.
  private static func time(of pass: Pass, _ container: FakeContainer) throws -> Duration {
    let clock = ContinuousClock()
    let start = clock.now
    let sighting = try pass.run(container)
    let time = clock.now - start
    return withExtendedLifetime(sighting) { time }
  }

  /// Prints a line for each pass, with its ratio to the first.
  private static func report(_ times: [[Duration]], rounds: Int) {
    let medians = times.map { $0.sorted()[$0.count / 2] / .milliseconds(1) }
    for (pass, median) in zip(Pass.all, medians) {
      let name = pass.name.padding(toLength: 18, withPad: " ", startingAt: 0)
      print(name, String(format: "%8.1f ms %6.2f x", median, median / medians[0]))
    }
    print("medians of \(rounds) runs each, taking turns")
  }
}

/// Two passes that did not see the same items and marks.
struct Disagreement: Error, CustomStringConvertible {
  /// What each saw.
  let description: String
}
