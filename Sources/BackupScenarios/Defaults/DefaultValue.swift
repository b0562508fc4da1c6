import BackupDiagnostics
import BackupFileTree
import BackupJSON5
import Foundation

/// A value that an app has in its defaults, of the kinds that a scenario file can say.
package enum DefaultValue: Hashable, Sendable, CustomStringConvertible, Decodable {
  case text(String)
  case integer(Int)
  case real(Double)
  case boolean(Bool)

  /// Whether an app that reads one of them reads the other.
  func isSame(as other: DefaultValue) -> Bool {
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

  /// Reads the value of a property list; data, dates, lists and objects are an error.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Only the last type that it can have says what is wrong.
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

  fileprivate var element: String {
    switch self {
    case .text(let text): "<string>\(text.inXML)</string>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .boolean(let isTrue): isTrue ? "<true/>" : "<false/>"
    }
  }
}

extension Form where Value == DefaultValue {
  static var defaultValue: Form {
    let expected = "a text, a number from -1e15 to 1e15, true or false"
    return Form(
      expected: expected, words: "string, number, `true` or `false`",
      schema: [
        "anyOf": [
          ["type": "string", "pattern": .text(DefaultValue.textPattern)],
          [
            "type": "number", "minimum": .number(-DefaultValue.largestNumber),
            "maximum": .number(DefaultValue.largestNumber),
          ],
          ["type": "boolean"],
        ]
      ]
    ) { reader in
      switch reader.value.kind {
      case .string(let text): return reader.defaultText(text).map(DefaultValue.text)
      case .bool(let isTrue): return .boolean(isTrue)
      case .number(let number) where abs(number.double) <= DefaultValue.largestNumber:
        return number.integer.flatMap(Int.init(exactly:)).map(DefaultValue.integer)
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
      .map { key, reader in reader.defaultText(key) }
      .described(
        by: ["type": "string", "minLength": 1, "pattern": .text(DefaultValue.textPattern)]
      ).named("defaultKey", "The key of a default, without control characters.")
  }
}

/// What a property list in XML can hold.
extension DefaultValue {
  /// A regular expression of texts without control characters but tabs and line ends.
  fileprivate static let textPattern = #"^[^\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]*$"#
  /// The largest number; whole ones up to it are exact.
  fileprivate static let largestNumber = 1e15
}

extension ValueReader {
  /// A text of an app's defaults, or a noted mistake.
  func defaultText(_ text: String) -> String? {
    let isAllowed = text.unicodeScalars.allSatisfy { scalar in
      scalar == "\t" || scalar == "\n"
        || scalar.value > 0x1F && scalar.value != 0xFFFE && scalar.value != 0xFFFF
    }
    if isAllowed { return text }
    return refuse(
      "'\(text.shown)' has a control character; remove it, since a default cannot have one here")
  }
}

/// The file in which an app's defaults are: `Library/Preferences/<bundle identifier>.plist`.
///
/// The system writes a binary one. This one is XML, written by itself and not by Foundation, so that
/// it has the same size everywhere and in every run.
extension [String: DefaultValue] {
  /// Reads the file; a value that no scenario can say is an error.
  init(preferences bytes: [UInt8]) throws {
    guard PropertyList.canBeRead(bytes) else { throw CocoaError(.propertyListReadCorrupt) }
    self = try PropertyListDecoder().decode(Self.self, from: Data(bytes))
  }

  /// What the file holds, its keys in order.
  var preferences: String {
    let lines = sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
      .map { "\t<key>\($0.key.inXML)</key>\n\t\($0.value.element)\n" }
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
  fileprivate var inXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
