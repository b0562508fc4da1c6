import BackupDiagnostics

/// Where a test calls the kit.
package struct CallSite: Hashable, Sendable {
  /// The file's path.
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1.
  package let column: Int

  /// A place in a test.
  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// No place in particular.
  package static let unknown = CallSite(file: "", line: 1, column: 1)

  /// The place as scenario files have them.
  var position: SourcePosition { SourcePosition(line: line, column: column) }
}
