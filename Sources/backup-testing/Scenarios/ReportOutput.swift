import BackupReports
import BackupVerdicts
import Foundation

extension Option {
  static let output = Option(
    "--output", value: "FILE", "write the report to a file instead of standard output")
}

/// The format and the destination of a report. Without a file, the destination is standard output.
struct ReportOutput {
  let format: OutputFormat<SuiteReport>
  let file: TextFile?

  /// Replaces an earlier report in the file, if there is one, by a report that says that the run
  /// has not finished.
  func writeUnfinishedReport() throws {
    guard let file, file.isRegularFile else { return }
    let report = SuiteReport(obstacle: "the run has not finished")
    try Output.write(try format.text(report, for: file), to: file)
  }

  /// Writes a report in the format to the file or to standard output. In the default format, does
  /// not write to standard output, because ``printRemainingParts(_:)`` or ``writeAndPrintProblems(_:)``
  /// does.
  func write(_ report: SuiteReport) throws {
    let text = try format.text(report, for: file)
    if file != nil || !isDefaultFormat { try Output.write(text, to: file) }
    let summaryPath = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] ?? ""
    guard format.traits.contains(.writesSummary), !summaryPath.isEmpty else { return }
    try Output.append(report.markdown, to: summaryPath)
  }

  /// Writes a report whose problems the tool has not printed before. In the default format without
  /// a file, prints the problems to standard output. Also prints the summary, unless standard
  /// output is the report.
  func writeAndPrintProblems(_ report: SuiteReport) throws {
    try write(report)
    if isReportPrinted { return }
    let isColored = Output.isOutputColored
    if file == nil { try Output.print(report.diagnostics(isColored: isColored)) }
    try Output.print(report.summary(isColored: isColored))
  }

  /// Prints the problems to standard error, unless the report on standard output shows them. Prints
  /// the summary to standard output, unless the report is there.
  func printRemainingParts(_ report: SuiteReport) throws {
    if isReportPrinted, format.traits.contains(.showsProblems) { return }
    Output.error(report.diagnostics(isColored: Output.isErrorColored))
    if isReportPrinted { return }
    try Output.print(report.summary(isColored: Output.isOutputColored))
  }

  /// True if the report itself goes to standard output.
  private var isReportPrinted: Bool { file == nil && !isDefaultFormat }
  private var isDefaultFormat: Bool { format.name == SuiteReport.formats[0].name }

  /// Returns the file of `--output`. Throws an error if the file is a scenario file, a golden file
  /// or one of the `sources`, which are the operands by default.
  static func file(_ arguments: Arguments, sources: [String]? = nil) throws -> TextFile? {
    guard let path = arguments.value(of: .output) else { return nil }
    return try TextFile(reportAt: path, scenarioPaths: sources ?? arguments.operands)
  }
}

extension ReportOutput {
  init(_ arguments: Arguments) throws {
    file = try Self.file(arguments)
    format = try arguments.format(of: SuiteReport.formats)
  }
}
