import BackupDiagnostics

/// Where a test calls the kit.
package struct CallSite: Hashable, Sendable {
  /// The file as Swift names it: `CinemaTests/MovieTests.swift`.
  package let fileID: String
  package let file: String
  package let line: Int
  package let column: Int

  package init(fileID: String, file: String, line: Int, column: Int) {
    self.fileID = fileID
    self.file = file
    self.line = line
    self.column = column
  }

  /// No place in particular.
  package static let unknown = CallSite(fileID: "", file: "", line: 1, column: 1)

  /// The place as scenario files have them.
  var position: SourcePosition { SourcePosition(line: line, column: column) }

  /// The step that stands for a call.
  func step(_ number: Int, _ summary: String) -> Scenario.StepReference {
    Scenario.StepReference(
      number: .call(number, line: line), position: position, summary: summary)
  }
}
