import BackupReports
import BackupVerdicts
import Foundation

extension Option {
  static let output = Option(
    "--output", value: "FILE", "write the report to a file instead of standard output")
}

struct ReportOutput {
  let format: OutputFormat<SuiteReport>
  let file: TextFile?

  /// Says in a file that is there that the run has not ended, so that an earlier run's report never
  /// stands for this one.
  func begin() throws {
    guard let file, file.isThere else { return }
    try Output.write(try format.write(SuiteReport(obstacle: "the run has not finished")), to: file)
  }

  /// Writes a report as the format has it, to the file or to standard output.
  ///
  /// In the usual format standard output gets the summary only, since problems are for standard
  /// error.
  func write(_ report: SuiteReport) throws {
    let text = try format.write(report)
    if file != nil || !isUsual { try Output.write(text, to: file) }
    let summary = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"] ?? ""
    guard format.traits.contains(.writesSummary), !summary.isEmpty else { return }
    try Output.append(report.markdown, to: summary)
  }

  /// Writes a report whose problems are said nowhere else: in the usual format they are on standard
  /// output too. Beside a file, the summary is there.
  func writeWhole(_ report: SuiteReport) throws {
    try write(report)
    if isPrinted { return }
    let isColored = Output.isOutputColored
    if file == nil { try Output.print(report.diagnostics(isColored: isColored)) }
    try Output.print(report.summary(isColored: isColored))
  }

  /// Shows people what the report does not show them: problems on standard error, the summary on
  /// standard output.
  func show(_ report: SuiteReport) throws {
    if isPrinted, format.traits.contains(.showsProblems) { return }
    Output.error(report.diagnostics(isColored: Output.isErrorColored))
    if isPrinted { return }
    try Output.print(report.summary(isColored: Output.isOutputColored))
  }

  /// Whether standard output is the report itself.
  private var isPrinted: Bool { file == nil && !isUsual }
  private var isUsual: Bool { format.name == SuiteReport.formats[0].name }

  /// The file of `--output`. It must not be one of the `sources`, which are the operands by default,
  /// nor a scenario or golden file.
  static func file(_ arguments: Arguments, sources: [String]? = nil) throws -> TextFile? {
    guard let path = arguments.value(of: .output) else { return nil }
    return try TextFile(reportAt: path, sources: sources ?? arguments.operands)
  }
}

extension ReportOutput {
  init(_ arguments: Arguments) throws {
    file = try Self.file(arguments)
    format = try arguments.format(of: SuiteReport.formats)
  }
}
