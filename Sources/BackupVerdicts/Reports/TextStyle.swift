/// Terminal colours, or none.
struct TextStyle {
  /// Whether there are any.
  let isColored: Bool

  /// What stands out.
  func strong(_ text: String) -> String { wrap(text, "1") }
  /// What is right.
  func good(_ text: String) -> String { wrap(text, "32") }
  /// What is wrong.
  func bad(_ text: String) -> String { wrap(text, "1;31") }
  /// What is worth a look.
  func notable(_ text: String) -> String { wrap(text, "33") }

  /// Puts an escape sequence around a text.
  private func wrap(_ text: String, _ code: String) -> String {
    isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
