import Foundation

/// The options of the benchmark.
struct Options: Sendable {
  static let help = """
    Runs scenarios of growing length, and prints what each takes and how that grows.

    USAGE: scaling-benchmark [OPTION…] [SERIES…]

    A series is a file in Tests/Benchmarks/Series, and 'session'; without a name all are run.

      --sizes N,N…        for which n each is run, rising (300,1000,3000)
      --rounds N          the least of so many rounds counts, where they are short (3)
      --patience SECONDS  a size that would take longer is left out, and that fails (60)
      --allocations       judge only allocations, which the load of the machine does not change
      --tool FILE         the command-line tool, by default the one beside this program
      --help              print this

    The time is that of the processor in user and system mode, the memory the most at once. On
    Linux the allocations are counted too; the column 'each' is their number for each of n. An
    exponent is the power of n by which a measure grows from the smallest n to the largest, without
    what an empty run takes; for memory it is measured by what each size takes more than the one
    before. 1.2 is the most. The limits of a series hold for n = 3000. The status is 1 if a series
    fails, 2 if one cannot be run.
    """

  /// The names of the series to run; empty for all.
  private(set) var names: [String] = []
  /// The values of n.
  private(set) var sizes = [300, 1_000, 3_000]
  /// True if the arguments have values of n. They then apply to every series.
  private(set) var hasSizes = false
  private(set) var rounds = 3
  /// The longest expected time of a run, in seconds. Longer runs are skipped.
  private(set) var patience = 60.0
  private(set) var judgesAllocationsOnly = false
  private(set) var wantsHelp = false
  private(set) var tool: URL

  /// Parses arguments. By default, the tool is in the folder of `program`.
  init(_ arguments: [String], program: URL) throws(SeriesMistake) {
    tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing")
    var remaining = arguments[...]
    while let argument = remaining.popFirst() {
      switch argument {
      case "--help", "-h": wantsHelp = true
      case "--allocations": judgesAllocationsOnly = true
      case "--sizes", "--rounds", "--patience", "--tool":
        guard let value = remaining.popFirst() else {
          throw SeriesMistake("\(argument) needs a value")
        }
        try setValue(value, for: argument)
      case _ where argument.hasPrefix("-"): throw SeriesMistake("there is no option \(argument)")
      default: names.append(argument)
      }
    }
  }

  private mutating func setValue(_ value: String, for option: String) throws(SeriesMistake) {
    let mistake = SeriesMistake("\(option): '\(value)' cannot be used")
    switch option {
    case "--sizes":
      sizes = value.components(separatedBy: ",").compactMap { Int($0) }
      hasSizes = true
      guard !sizes.isEmpty, sizes.allSatisfy({ $0 > 0 }), sizes == sizes.sorted() else {
        throw mistake
      }
    case "--rounds":
      guard let number = Int(value), number > 0 else { throw mistake }
      rounds = number
    case "--patience":
      guard let number = Double(value), number > 0 else { throw mistake }
      patience = number
    default:
      tool = URL(fileURLWithPath: value)
    }
  }

  /// Returns the values of n for a series.
  func sizes(of series: Series) -> [Int] {
    hasSizes ? sizes : series.sizes ?? sizes
  }

  /// Returns the series with the given names, or all if there are no names.
  func chosen(from all: [Series]) throws(SeriesMistake) -> [Series] {
    let known = all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw SeriesMistake(
        "there is no series '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
    return names.isEmpty ? all : all.filter { names.contains($0.name) }
  }
}
