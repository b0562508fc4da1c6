extension JSON5Reader {
  /// The input has no value at all.
  func emptyInput() -> JSON5SyntaxError {
    mistake(
      at: offset,
      "The input has no value, at most space and comments. Expected one; write '{}' for a start.")
  }

  /// Something follows the one value.
  func trailingContent() -> JSON5SyntaxError {
    mistake(
      at: offset,
      "Found \(found) after the end of the value. Expected the end of the input; "
        + (text[offset] == UInt8(ascii: "#") ? Self.commentAdvice : "remove what follows."))
  }

  /// Containers nest beyond the limit.
  func tooDeep() -> JSON5SyntaxError {
    mistake(
      at: offset,
      "Found \(found) inside \(maximumDepth) arrays and objects. "
        + "Expected a depth of at most \(maximumDepth); nest less.")
  }

  /// The input ends inside a container.
  func unclosed(_ container: OpenContainer) -> JSON5SyntaxError {
    mistake(
      at: offset,
      "Found the end of the input inside the '\(container.opening)' opened at "
        + "\(container.position.inWords). Expected '\(container.closing)'; add it.")
  }

  /// A container ends with the other kind's bracket.
  func mismatched(_ container: OpenContainer) -> JSON5SyntaxError {
    mistake(
      at: offset,
      "Found \(found) inside the '\(container.opening)' opened at "
        + "\(container.position.inWords). Expected '\(container.closing)'; close that first.")
  }

  /// A value is followed by neither comma nor end.
  func missingComma() -> JSON5SyntaxError {
    guard let container = open.last else { return trailingContent() }
    let place = container.isObject ? "the value of \(Self.shown(container.key))" : "a value"
    let isComment = text[offset] == UInt8(ascii: "#") || text[offset] == UInt8(ascii: "/")
    return mistake(
      at: offset,
      "Found \(found) after \(place). Expected ',' or '\(container.closing)'; "
        + (isComment ? Self.commentAdvice : "put a comma before it."))
  }

  /// A key is not followed by a colon.
  func missingColon(after key: String) -> JSON5SyntaxError {
    let advice =
      switch text[offset] {
      case UInt8(ascii: "="): "write ':' instead of '='."
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "*"),
        UInt8(ascii: "@"):
        "put a key in quotes if it has more than letters, digits, '$' and '_'."
      default: "put ':' and a value after the key."
      }
    return mistake(
      at: offset, "Found \(found) after the key \(Self.shown(key)). Expected ':'; \(advice)")
  }

  /// What to do about comments in the style of other languages.
  static var commentAdvice: String { "begin a comment with '//'." }
}
