#if os(macOS) || os(Linux)
import TestSupport

/// Takes XML apart as far as JUnit reports need it: elements, attributes, text and five entities.
struct XMLCheck {
  struct Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var text = ""

    /// All elements of a name in it, at any depth.
    func all(_ name: String) -> [Element] {
      children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }
  }

  /// What is left to read.
  private var rest: Substring

  /// Reads a document; anything that is not well-formed is an error.
  static func read(_ text: String) throws -> Element {
    let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    guard text.hasPrefix(header) else { throw TestError("no XML declaration") }
    let forbidden = text.unicodeScalars.first { scalar in
      (scalar.value < 0x20 && scalar != "\n" && scalar != "\t") || scalar.value & 0xFFFE == 0xFFFE
    }
    if let forbidden {
      throw TestError("U+\(String(forbidden.value, radix: 16)) cannot stand here")
    }
    var check = XMLCheck(rest: text.dropFirst(header.count))
    let element = try check.element()
    guard check.rest.allSatisfy(\.isWhitespace) else { throw TestError("'\(check.rest)' follows") }
    return element
  }

  /// Reads an element with all in it.
  private mutating func element() throws -> Element {
    try take("<")
    let tag = try upTo(">")
    let isEmpty = tag.hasSuffix("/")
    let body = isEmpty ? tag.dropLast() : tag
    let name = String(body.prefix { $0 != " " })
    var element = Element(name: name, attributes: try attributes(body.dropFirst(name.count)))
    guard !isEmpty else { return element }
    while !rest.hasPrefix("</") {
      if rest.hasPrefix("<") {
        element.children.append(try self.element())
      } else {
        element.text += try Self.unescape(rest.prefix { $0 != "<" })
        guard let next = rest.firstIndex(of: "<") else { throw TestError("\(name) has no end") }
        rest = rest[next...]
      }
    }
    try take("</\(name)>")
    return element
  }

  /// Reads the attributes of a tag.
  private func attributes(_ text: Substring) throws -> [String: String] {
    var check = XMLCheck(rest: text)
    var attributes: [String: String] = [:]
    while !check.rest.isEmpty {
      try check.take(" ")
      let name = String(try check.upTo("="))
      try check.take("\"")
      let value = try check.upTo("\"")
      guard !value.contains("<"), attributes[name] == nil else { throw TestError("bad \(name)") }
      attributes[name] = try Self.unescape(value)
    }
    return attributes
  }

  /// Takes a text that has to come next.
  private mutating func take(_ text: String) throws {
    guard rest.hasPrefix(text) else { throw TestError("expected \(text) at '\(rest.prefix(40))'") }
    rest = rest.dropFirst(text.count)
  }

  /// Takes everything up to a character, and that.
  private mutating func upTo(_ end: Character) throws -> Substring {
    guard let index = rest.firstIndex(of: end) else { throw TestError("expected \(end)") }
    defer { rest = rest[rest.index(after: index)...] }
    return rest[..<index]
  }

  /// Replaces entities; an `&` that begins none is an error.
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
