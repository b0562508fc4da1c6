import BackupContainer
import BackupDiagnostics
import BackupReports
import BackupSourceIndex
import BackupVerdicts
import Foundation

extension Command {
  static let saves = Command(
    name: "saves",
    operands: "[RESULTS…]",
    summary: "Lists the places of the app's code that use storage, and how often tests run them.",
    discussion: """
      It reads the index that a debug build writes, with a library of Swift's toolchain, and the
      coverage of 'swift test --enable-code-coverage'. RESULTS are files that the same tests wrote
      with BACKUP_TESTING_REPORT=FILE; they name the scenarios that ran a place. Code in hidden
      folders, in Pods and Carthage, and in folders whose names end in 'Tests', is not the app's. A
      call that opens a file counts as one that saves.
      """,
    options: [.indexStore, coverage, failUnder, .format(SavesReport.formats), .output],
    variables: EnvironmentVariable.originVariables,
    run: listPlaces)

  private static let coverage = Option(
    "--coverage", value: "FILE", "the coverage, as 'llvm-cov export' writes it in JSON")
  private static let failUnder = Option(
    "--fail-under", value: "PERCENT", "fail if tests run less than this share of places")

  private static func listPlaces(_ arguments: Arguments) throws -> ExitStatus {
    let format = try arguments.format(of: SavesReport.formats)
    let outputFile = try ReportOutput.file(arguments)
    let inputs = arguments.operands + arguments.allValues(of: coverage)
    let storePath = arguments.value(of: .indexStore) ?? ".build/debug/index/store"
    try outputFile?.requireOutside(of: storePath, andNoneOf: inputs)
    let leastPercent = try arguments.number(of: failUnder, upTo: 100)
    let coverageFiles = try arguments.value(of: coverage).map { [$0] } ?? coverageFilesOfTests()
    if coverageFiles.count > 1 {
      throw CommandError(
        "there are \(coverageFiles.count) coverage files, such as \(coverageFiles[0]); name one with --coverage"
      )
    }
    let work = LongWork.begin("reading the index")
    defer { work?.end() }
    let report = try SavesReport(
      try SourceIndex(store: storePath),
      coverage: try coverageFiles.first.map { path in try Coverage(at: path) },
      results: try arguments.operands.flatMap { try SuiteReport(at: $0).scenarios },
      leastPercent: leastPercent)
    guard leastPercent == nil || report.places.isEmpty || report.knowsRuns else {
      throw CommandError(
        "--fail-under: the places that ran are unknown; run 'swift test --enable-code-coverage' "
          + "first, which writes the coverage only if all tests pass")
    }
    for note in report.notes { Output.error("note: \(note.onOneLine)\n".asMessage) }
    try Output.write(try format.text(report, for: outputFile), to: outputFile)
    return report.hasEnoughRuns ? .success : .failure
  }

  /// Returns the paths of the coverage files that `swift test` has written.
  private static func coverageFilesOfTests() throws -> [String] {
    let folder = ".build/debug/codecov"
    guard try FileKind.ofItem(at: folder, followingLinks: true) != nil else { return [] }
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return names.filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
    } catch {
      throw CommandError("\(folder): the coverage cannot be read: \(error.reason)")
    }
  }
}

extension Option {
  static let indexStore = Option(
    "--index-store", value: "FOLDER", "the index; of Xcode: DerivedData/…/Index.noindex/DataStore")
}

extension SourceIndex {
  /// Reads an index with the library of Swift's toolchain.
  convenience init(store: String) throws {
    guard try FileKind.ofItem(at: "\(store)/v5", followingLinks: true) == .folder else {
      throw CommandError(
        "\(store): there is no index (a folder that contains 'v5'); run 'swift build', or "
          + "name an index with --index-store")
    }
    guard let library = Self.indexStoreLibrary,
      try FileKind.ofItem(at: library, followingLinks: true) == .file
    else {
      throw CommandError(
        "libIndexStore, which reads an index, was not found; put the folder of Swift's toolchain that "
          + "has 'swift' into PATH, or install one (swift.org/install)")
    }
    try self.init(store: store, library: library)
  }
}
