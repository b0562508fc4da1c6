import BackupDiagnostics
import BackupFileTree
import BackupJSON5
import Foundation

/// A value in user defaults that a scenario file can contain.
package enum StoredValue: Hashable, Sendable, CustomStringConvertible, Decodable {
  case text(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)

  /// Returns true if an app cannot tell the two values apart, for example `1` and `1.0`.
  func isSame(as other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      Double(integer) == real
    default: self == other
    }
  }

  package var description: String {
    switch self {
    case .text(let text): "\"\(EscapedText.escape(text).cut(to: 200))\""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let isTrue): "\(isTrue)"
    }
  }

  /// Decodes a value in a property list. Throws an error for data, dates, arrays and dictionaries.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each type is tried. Only the last attempt throws its error.
    if let isTrue = try? container.decode(Bool.self) {
      self = .boolean(isTrue)
    } else if let number = try? container.decode(Int.self) {
      self = .integer(number)
    } else if let number = try? container.decode(Double.self) {
      self = .real(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  fileprivate var xmlElement: String {
    switch self {
    case .text(let text): "<string>\(text.xmlEscaped)</string>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .boolean(let isTrue): isTrue ? "<true/>" : "<false/>"
    }
  }
}

extension Form where Value == StoredValue {
  static var storedValue: Form {
    let expected = "a text, a number from -1e15 to 1e15, true or false"
    return Form(
      expected: expected, words: "string, number, `true` or `false`",
      schema: [
        "anyOf": [
          ["type": "string", "pattern": .text(StoredValue.textPattern)],
          [
            "type": "number", "minimum": .number(-StoredValue.largestNumber),
            "maximum": .number(StoredValue.largestNumber),
          ],
          ["type": "boolean"],
        ]
      ]
    ) { reader in
      switch reader.value.kind {
      case .string(let text): return reader.allowedText(text).map(StoredValue.text)
      case .bool(let isTrue): return .boolean(isTrue)
      case .number(let number) where abs(number.double) <= StoredValue.largestNumber:
        return number.integer.flatMap(Int.init(exactly:)).map(StoredValue.integer)
          ?? .real(number.double)
      default:
        return reader.refuse(expected: expected)
      }
    }.named("defaultValue", "The value of a default, without control characters.")
  }
}

extension Form where Value == String {
  static var defaultKey: Form {
    nonemptyString("the key of a default", empty: "the key is empty; write the key of a default")
      .map { key, reader in reader.allowedText(key) }
      .described(
        by: ["type": "string", "minLength": 1, "pattern": .text(StoredValue.textPattern)]
      ).named("defaultKey", "The key of a default, without control characters.")
  }
}

/// The limits of texts and numbers in user defaults. XML must be able to represent the texts.
extension StoredValue {
  /// A regular expression for texts without U+FFFE, U+FFFF, and the control characters below U+0020
  /// except tab and line feed.
  fileprivate static let textPattern = #"^[^\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]*$"#
  /// The largest number. `Double` represents each whole number up to this limit exactly.
  fileprivate static let largestNumber = 1e15
}

extension ValueReader {
  /// Returns the text. If it has a forbidden control character, reports a mistake and returns nil.
  func allowedText(_ text: String) -> String? {
    let isAllowed = text.unicodeScalars.allSatisfy { scalar in
      scalar == "\t" || scalar == "\n"
        || scalar.value > 0x1F && scalar.value != 0xFFFE && scalar.value != 0xFFFF
    }
    if isAllowed { return text }
    return refuse(
      "'\(text.escapedExcerpt)' has a control character; remove it, since a default cannot have one here"
    )
  }
}

/// The file of an app's user defaults: `Library/Preferences/<bundle identifier>.plist`.
///
/// iOS writes a binary property list. The kit writes XML, and does not use Foundation for this. So
/// the file has the same size on each platform and in each run.
extension [String: StoredValue] {
  /// Reads the file. Throws an error for a value that a scenario file cannot contain.
  init(preferences bytes: [UInt8]) throws {
    guard PropertyList.canFoundationRead(bytes) else { throw CocoaError(.propertyListReadCorrupt) }
    self = try PropertyListDecoder().decode(Self.self, from: Data(bytes))
  }

  /// The contents of the file, with sorted keys.
  var propertyListText: String {
    let lines = sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
      .map { "\t<key>\($0.key.xmlEscaped)</key>\n\t\($0.value.xmlElement)\n" }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \(lines.joined())</dict>
      </plist>

      """
  }
}

extension String {
  fileprivate var xmlEscaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
