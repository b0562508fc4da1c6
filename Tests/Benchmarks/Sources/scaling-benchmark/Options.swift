import Foundation

/// What the arguments ask for.
struct Options: Sendable {
  /// What `--help` prints.
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

  /// The names of the series; none for all.
  private(set) var names: [String] = []
  /// For which n each series is run.
  private(set) var sizes = [300, 1_000, 3_000]
  /// Whether the sizes were named, so that they hold for every series.
  private(set) var hasSizes = false
  /// How many rounds there are.
  private(set) var rounds = 3
  /// How many seconds one run may be forecast to take.
  private(set) var patience = 60.0
  /// Whether only allocations are judged.
  private(set) var judgesAllocationsOnly = false
  /// Whether only the help is asked for.
  private(set) var wantsHelp = false
  private(set) var tool: URL

  /// Reads arguments; the tool is looked for beside a program.
  init(_ arguments: [String], program: URL) throws(SeriesMistake) {
    tool = program.deletingLastPathComponent().appendingPathComponent("backup-testing")
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--allocations": judgesAllocationsOnly = true
      case "--sizes", "--rounds", "--patience", "--tool":
        guard let value = rest.popFirst() else { throw SeriesMistake("\(word) needs a value") }
        try take(value, for: word)
      case _ where word.hasPrefix("-"): throw SeriesMistake("there is no option \(word)")
      default: names.append(word)
      }
    }
  }

  /// Takes the value of an option.
  private mutating func take(_ value: String, for option: String) throws(SeriesMistake) {
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

  /// For which n a series is run.
  func sizes(of series: Series) -> [Int] {
    hasSizes ? sizes : series.sizes ?? sizes
  }

  /// The series that are asked for.
  func chosen(from all: [Series]) throws(SeriesMistake) -> [Series] {
    let known = all.map(\.name)
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw SeriesMistake(
        "there is no series '\(unknown)'; there are \(known.joined(separator: ", "))")
    }
    return names.isEmpty ? all : all.filter { names.contains($0.name) }
  }
}
