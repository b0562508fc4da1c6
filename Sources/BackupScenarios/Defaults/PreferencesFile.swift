import Foundation

/// The file in which an app's defaults are: `Library/Preferences/<bundle identifier>.plist`.
///
/// The system writes a binary one. This one is XML, written by itself and not by Foundation, so that
/// it has the same size everywhere and in every run.
extension [String: DefaultValue] {
  /// Reads the file; a value that no scenario can say is an error.
  init(preferences bytes: [UInt8]) throws {
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

extension DefaultValue {
  /// The value as an element of a property list.
  fileprivate var element: String {
    switch self {
    case .text(let text): "<string>\(text.inXML)</string>"
    case .integer(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .boolean(let isTrue): isTrue ? "<true/>" : "<false/>"
    }
  }
}

extension String {
  /// The text as XML has it between two tags.
  fileprivate var inXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
