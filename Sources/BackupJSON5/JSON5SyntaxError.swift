package import BackupDiagnostics

/// The first mistake in a text that is not JSON5.
package struct JSON5SyntaxError: Error, Hashable, Sendable {
  /// Where the mistake is to be looked for.
  package var position: SourcePosition

  /// Full sentences: what was found, what was expected, what to do.
  package var message: String
}
