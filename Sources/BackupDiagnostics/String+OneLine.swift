extension String {
  /// The text on one line that a terminal shows as it is: control characters, line separators and
  /// direction overrides escaped as in golden files. Backslashes stay, so that nothing is escaped
  /// twice.
  package var onOneLine: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
    return unicodeScalars.map { $0 == "\\" ? "\\" : EscapedText.escape(String($0)) }.joined()
  }
}
