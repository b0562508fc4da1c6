#if os(macOS) || os(Linux)
import TestSupport

/// Parses XML as far as JUnit reports need it: elements, attributes, text and five entities.
struct XMLCheck {
  struct Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var text = ""

    /// Returns all inner elements with a name, at any depth.
    func all(_ name: String) -> [Element] {
      children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }
  }

  /// The text that is not parsed yet.
  private var remaining: Substring

  /// Parses a document. Throws an error if the document is not well-formed.
  static func read(_ text: String) throws -> Element {
    let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    guard text.hasPrefix(header) else { throw TestError("no XML declaration") }
    let forbidden = text.unicodeScalars.first { scalar in
      (scalar.value < 0x20 && scalar != "\n" && scalar != "\t") || scalar.value & 0xFFFE == 0xFFFE
    }
    if let forbidden {
      throw TestError("U+\(String(forbidden.value, radix: 16)) cannot stand here")
    }
    var check = XMLCheck(remaining: text.dropFirst(header.count))
    let element = try check.element()
    guard check.remaining.allSatisfy(\.isWhitespace) else {
      throw TestError("'\(check.remaining)' follows")
    }
    return element
  }

  /// Parses an element and its contents.
  private mutating func element() throws -> Element {
    try skip("<")
    let tag = try text(upTo: ">")
    let isEmpty = tag.hasSuffix("/")
    let body = isEmpty ? tag.dropLast() : tag
    let name = String(body.prefix { $0 != " " })
    var element = Element(name: name, attributes: try attributes(body.dropFirst(name.count)))
    guard !isEmpty else { return element }
    while !remaining.hasPrefix("</") {
      if remaining.hasPrefix("<") {
        element.children.append(try self.element())
      } else {
        element.text += try Self.unescape(remaining.prefix { $0 != "<" })
        guard let next = remaining.firstIndex(of: "<") else {
          throw TestError("\(name) has no end")
        }
        remaining = remaining[next...]
      }
    }
    try skip("</\(name)>")
    return element
  }

  /// Parses the attributes of a tag.
  private func attributes(_ text: Substring) throws -> [String: String] {
    var check = XMLCheck(remaining: text)
    var attributes: [String: String] = [:]
    while !check.remaining.isEmpty {
      try check.skip(" ")
      let name = String(try check.text(upTo: "="))
      try check.skip("\"")
      let value = try check.text(upTo: "\"")
      guard !value.contains("<"), attributes[name] == nil else { throw TestError("bad \(name)") }
      attributes[name] = try Self.unescape(value)
    }
    return attributes
  }

  /// Skips a text that must come next.
  private mutating func skip(_ text: String) throws {
    guard remaining.hasPrefix(text) else {
      throw TestError("expected \(text) at '\(remaining.prefix(40))'")
    }
    remaining = remaining.dropFirst(text.count)
  }

  /// Parses the text up to a character. Returns the text, and skips the character.
  private mutating func text(upTo end: Character) throws -> Substring {
    guard let index = remaining.firstIndex(of: end) else { throw TestError("expected \(end)") }
    defer { remaining = remaining[remaining.index(after: index)...] }
    return remaining[..<index]
  }

  /// Replaces entities. Throws an error for an unknown entity.
  private static func unescape(_ text: Substring) throws -> String {
    let parts = text.split(separator: "&", omittingEmptySubsequences: false)
    let entities = ["amp;": "&", "lt;": "<", "gt;": ">", "quot;": "\"", "apos;": "'"]
    return try parts.dropFirst().reduce(String(parts[0])) { whole, part in
      guard let entity = entities.first(where: { part.hasPrefix($0.key) }) else {
        throw TestError("&\(part.prefix(10)) is no entity")
      }
      return whole + entity.value + part.dropFirst(entity.key.count)
    }
  }
}
#endif
