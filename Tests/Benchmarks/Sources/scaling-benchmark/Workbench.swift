import Foundation
import ProcessCost

/// Where series are run: the tools, and a folder for what they read and write.
struct Workbench {
  let tool: URL
  /// This program, for what the tool cannot run.
  let program: URL
  /// Whether the allocations of the runs are counted.
  let countsAllocations: Bool
  /// The folder, which is empty before and after each run.
  private let folder: URL
  /// The file that the counts of a run are written into.
  private let counts: URL

  init(tool: URL, program: URL) throws {
    self.tool = tool
    self.program = program
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("scaling-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    counts = folder.appendingPathComponent("allocations.txt")
    countsAllocations = Allocations.beginCounting(into: counts)
  }

  func clear() {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The least that a series takes for a number in some rounds, of which long ones have fewer.
  func cost(of series: Series, _ count: Int, rounds: Int) throws -> ProcessCost {
    let place = folder.appendingPathComponent(series.name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let command = try command(for: series, count, in: place)
    let start = ContinuousClock.now
    var least = try cost(of: command, in: place)
    for _ in 1..<max(1, rounds) where ContinuousClock.now - start < .seconds(5) {
      least = try least.least(cost(of: command, in: place))
    }
    return least
  }

  /// A tool and its arguments.
  private typealias Command = (tool: URL, arguments: [String])

  /// Writes what a series needs, and says how it is run.
  private func command(
    for series: Series, _ count: Int, in place: URL
  ) throws -> Command {
    guard case .template(let template) = series.work else {
      return (program, ActionProgram.arguments(forCalls: count))
    }
    let file = place.appendingPathComponent("\(series.name).json5")
    if template.isRecorded {
      try Data(template.scenario(count, isRecording: true).utf8).write(to: file)
      _ = try cost(of: (tool, arguments("all", file)), in: place)
    }
    try Data(template.scenario(count).utf8).write(to: file)
    if template.command != "run" {
      return (tool, [template.command, "--limit", "work=1000000000", file.path])
    }
    return template.performs
      ? (program, ActionProgram.arguments(forScenariosIn: place))
      : (tool, arguments("never", file))
  }

  /// The arguments of the tool to run a scenario file.
  private func arguments(_ recordMode: String, _ file: URL) -> [String] {
    [
      "run", "--record", recordMode, "--allow-run", "--limit", "work=1000000000", "--golden",
      file.deletingLastPathComponent().appendingPathComponent("Golden").path, file.path,
    ]
  }

  /// What a command takes, which has to come to its end.
  private func cost(of command: Command, in place: URL) throws -> ProcessCost {
    let output = place.appendingPathComponent("output.txt")
    _ = Allocations.take(from: counts)
    var (cost, status) = try ProcessCost.run(command.tool, command.arguments, output: output)
    guard status == 0 || status == 1 else {
      let text = String(decoding: try Data(contentsOf: output).prefix(2000), as: UTF8.self)
      throw SeriesMistake("\(place.lastPathComponent): status \(status)\n\(text)")
    }
    cost.allocations = Allocations.take(from: counts)
    return cost
  }
}
