import Foundation
import ProcessCost

/// Runs series in a temporary folder.
struct Workbench {
  let tool: URL
  /// This program. As a child process, it runs the series that the tool cannot run.
  let program: URL
  let countsAllocations: Bool
  private let folder: URL
  /// The file to which each process appends the number of its allocations.
  private let countsFile: URL

  init(tool: URL, program: URL) throws {
    self.tool = tool
    self.program = program
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("scaling-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    countsFile = folder.appendingPathComponent("allocations.txt")
    countsAllocations = Allocations.beginCounting(into: countsFile)
  }

  func clear() {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the least cost of a series for n = `count`. After 5 seconds, no further round starts.
  func cost(of series: Series, _ count: Int, rounds: Int) throws -> ProcessCost {
    let seriesFolder = folder.appendingPathComponent(series.name)
    try FileManager.default.createDirectory(at: seriesFolder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: seriesFolder) }
    let command = try command(for: series, count, in: seriesFolder)
    let start = ContinuousClock.now
    var least = try cost(of: command, in: seriesFolder)
    for _ in 1..<max(1, rounds) where ContinuousClock.now - start < .seconds(5) {
      least = try least.least(cost(of: command, in: seriesFolder))
    }
    return least
  }

  private typealias Command = (tool: URL, arguments: [String])

  /// Writes the files of a series, and returns the command that runs it.
  private func command(
    for series: Series, _ count: Int, in seriesFolder: URL
  ) throws -> Command {
    guard case .template(let template) = series.work else {
      return (program, ActionProgram.arguments(forCalls: count))
    }
    let file = seriesFolder.appendingPathComponent("\(series.name).json5")
    if template.isRecorded {
      try Data(template.scenario(count, isRecording: true).utf8).write(to: file)
      _ = try cost(of: (tool, arguments("all", file)), in: seriesFolder)
    }
    try Data(template.scenario(count).utf8).write(to: file)
    if template.command != "run" {
      return (tool, [template.command, "--limit", "work=1000000000", file.path])
    }
    return template.performs
      ? (program, ActionProgram.arguments(forScenariosIn: seriesFolder))
      : (tool, arguments("never", file))
  }

  /// Returns the tool's arguments for a run of a scenario file.
  private func arguments(_ recordMode: String, _ file: URL) -> [String] {
    [
      "run", "--record", recordMode, "--allow-run", "--limit", "work=1000000000", "--golden",
      file.deletingLastPathComponent().appendingPathComponent("Golden").path, file.path,
    ]
  }

  /// Runs a command, and returns its cost. Throws an error if the command does not run to its end.
  private func cost(of command: Command, in seriesFolder: URL) throws -> ProcessCost {
    let output = seriesFolder.appendingPathComponent("output.txt")
    _ = Allocations.take(from: countsFile)
    var (cost, status) = try ProcessCost.run(command.tool, command.arguments, output: output)
    guard status == 0 || status == 1 else {
      let text = String(decoding: try Data(contentsOf: output).prefix(2000), as: UTF8.self)
      throw SeriesMistake("\(seriesFolder.lastPathComponent): status \(status)\n\(text)")
    }
    cost.allocations = Allocations.take(from: countsFile)
    return cost
  }
}
