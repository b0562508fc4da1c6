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
    summary: "Lists the places of the app's code that use storage, and what tests run them.",
    discussion: """
      It reads the index that a debug build writes, with a library of Swift's toolchain, and the
      coverage of 'swift test --enable-code-coverage'. RESULTS are files that the same tests wrote
      with BACKUP_TESTING_REPORT=FILE: from them come the scenarios that ran a place. Code in hidden
      folders, in Pods and Carthage, and in folders whose names end in 'Tests', is not the app's. A
      call that opens a file counts as one that saves.
      """,
    options: [indexStore, indexLibrary, coverage, failUnder, .format(SavesReport.formats), .output]
  ) { arguments in
    let report = try savesReport(arguments)
    for note in report.notes { Output.error("note: \(note)\n".asMessage) }
    let text = try arguments.format(of: SavesReport.formats).write(report)
    try Output.write(text, to: try ReportOutput.file(arguments))
    return report.isEnough ? .success : .failure
  }

  private static let indexStore = Option(
    "--index-store", value: "FOLDER", "the index; of Xcode: DerivedData/…/Index.noindex/DataStore")
  private static let indexLibrary = Option(
    "--index-library", value: "FILE", "libIndexStore, if it is not where the toolchain has it")
  private static let coverage = Option(
    "--coverage", value: "FILE", "the coverage, as 'llvm-cov export' writes it in JSON")
  private static let failUnder = Option(
    "--fail-under", value: "PERCENT", "fail if tests run less than this share of places")

  private static func savesReport(_ arguments: Arguments) throws -> SavesReport {
    let percent = try arguments.value(of: failUnder).map { word in
      guard let percent = Int(word), (0...100).contains(percent) else {
        throw CommandError("--fail-under: '\(word)' is not a whole number from 0 to 100")
      }
      return percent
    }
    let store = arguments.value(of: indexStore) ?? ".build/debug/index/store"
    guard FileKind(at: "\(store)/v5", followingLinks: true) == .folder else {
      throw CommandError(
        "\(store): there is no index, which is a folder with the folder 'v5'; run 'swift build', or "
          + "name an index with --index-store")
    }
    let index = try SourceIndex(store: store, library: try library(arguments), folder: ".")
    let found = try arguments.value(of: coverage) ?? usualCoverage
    let report = SavesReport(
      index, coverage: try found.map { path in try Coverage(at: path) },
      results: try arguments.operands.flatMap { try SuiteReport(at: $0).scenarios },
      leastPercent: percent)
    guard percent == nil || report.places.isEmpty || report.knowsRuns else {
      throw CommandError(
        "--fail-under: nothing says which places ran; run 'swift test --enable-code-coverage' first, "
          + "which writes the coverage only if all tests pass")
    }
    return report
  }

  /// Where SwiftPM writes a package's coverage; nil if it did not.
  private static var usualCoverage: String? {
    get throws {
      let folder = ".build/debug/codecov"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let files = names.filter { $0.hasSuffix(".json") }
      guard files.count > 1 else { return files.first.map { "\(folder)/\($0)" } }
      throw CommandError("\(folder): there are several files of coverage; name one with --coverage")
    }
  }

  private static func library(_ arguments: Arguments) throws -> String {
    // A path without a slash would be looked for in the system's folders.
    let named = arguments.value(of: indexLibrary).map { URL(fileURLWithPath: $0).path }
    let library = named ?? SourceIndex.usualLibrary
    guard let library, FileManager.default.fileExists(atPath: library) else {
      throw CommandError(
        "\(library ?? "libIndexStore"): the library that reads an index was not found; put Swift's "
          + "toolchain into PATH (swift.org/install), or name the file with --index-library")
    }
    return library
  }
}
