import Foundation

/// Runs series with growing n, and prints their costs and how the costs grow.
@main enum ScalingBenchmark {
  /// The value of n to which the limits of the series apply.
  private static let limitedCount = 3_000

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let status = try await ActionProgram.run(arguments) { exit(status) }
    do {
      exit(try run(arguments) ? 0 : 1)
    } catch let mistake as SeriesMistake {
      FileHandle.standardError.write(Data("scaling-benchmark: \(mistake)\n".utf8))
      exit(2)
    }
  }

  /// Runs the series that the arguments name. Returns true if all of them pass.
  private static func run(_ arguments: [String]) throws -> Bool {
    let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let options = try Options(arguments, program: program)
    guard !options.wantsHelp else {
      print(Options.help)
      return true
    }
    let chosen = try options.chosen(from: Series.all())
    let bench = try Workbench(tool: options.tool, program: program)
    defer { bench.clear() }
    guard bench.countsAllocations || !options.judgesAllocationsOnly else {
      show("SKIPPED: allocations are counted on Linux only")
      return true
    }
    show(Row.heading)
    var failureCount = 0
    for series in chosen where try !measure(series, on: bench, options) { failureCount += 1 }
    show("\(chosen.count) series, \(failureCount) failed")
    return failureCount == 0
  }

  /// Prints a line without a buffer, because the next line can take long.
  private static func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Measures a series, and prints its rows. Returns true if it passes.
  private static func measure(
    _ series: Series, on bench: Workbench, _ options: Options
  ) throws -> Bool {
    var growth = Growth(base: try bench.cost(of: series.empty(), 0, rounds: options.rounds))
    var passes = true
    let sizes = options.sizes(of: series)
    for count in sizes {
      var row = Row(series: series.name, count: count)
      if growth.forecast(for: count) <= options.patience {
        let cost = try bench.cost(of: series, count, rounds: options.rounds)
        growth.add(cost, for: count)
        row.cost = cost
        if count == limitedCount { row.limit = series.limit }
      }
      if count == sizes.last {
        row.growth = growth
        row.mostAllocations = series.mostAllocations
      }
      passes = passes && row.passes(byAllocationsOnly: options.judgesAllocationsOnly)
      show(row.text(byAllocationsOnly: options.judgesAllocationsOnly))
    }
    return passes
  }
}
