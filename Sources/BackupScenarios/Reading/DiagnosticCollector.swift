import BackupDiagnostics

/// Gathers the mistakes of one file while it is read to its end.
final class DiagnosticCollector {
  /// The file, as it was named to the kit.
  let file: String
  /// The mistakes so far.
  private(set) var diagnostics: [Scenario.Diagnostic] = []

  /// Gathers the mistakes of a file.
  init(file: String) {
    self.file = file
  }

  /// Notes a mistake.
  func error(_ message: String, at position: SourcePosition) {
    diagnostics.append(Scenario.Diagnostic(file: file, position: position, message: message))
  }
}
