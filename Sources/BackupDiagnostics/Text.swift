extension String {
  /// The text as a message quotes it: on one line, and cut if it is long.
  package var shown: String {
    count > 60 ? EscapedText.escape(String(prefix(60))) + "…" : EscapedText.escape(self)
  }

  /// The text, shortened where it has more characters than these.
  package func cut(to count: Int) -> String {
    self.count > count ? "\(prefix(count))…" : self
  }
}
