import Foundation

extension FileOperation.Contents {
  /// The largest contents in which words are looked for, in bytes.
  private static let mostRead = 1 << 16

  /// The words of a text or a binary property list, whatever its format; nil for anything else.
  /// They distinguish a conversion from a loss: other bytes, but what the user wrote is still
  /// there. Words are runs of three letters or more. What varies between runs is left out: digits,
  /// as in dates, and letters that hexadecimal numbers may consist of, as in UUIDs. XML tags and
  /// Base64 text (forty or more of its characters in a row, with a digit) are left out too, but the words
  /// of a text in Base64 count.
  package var words: Set<String>? {
    guard case .bytes(let bytes) = self, bytes.count <= Self.mostRead else { return nil }
    if bytes.starts(with: Array("bplist00".utf8)) {
      guard let strings = Self.strings(ofPropertyList: bytes) else { return nil }
      return strings.reduce(into: []) { $0.formUnion(Self.words(of: $1)) }
    }
    guard !bytes.contains(0), String(bytes: bytes, encoding: .utf8) != nil else { return nil }
    return Self.words(of: bytes)
  }

  private static func words(of text: [UInt8]) -> Set<String> {
    var words: Set<String> = []
    var (word, wordsOfRun): ([UInt8], [String]) = ([], [])
    /// The characters in a row that Base64 text may consist of.
    var (run, runHasDigit): ([UInt8], Bool) = ([], false)
    let isXML = text.first == UInt8(ascii: "<")
    var (isInTag, isEscaped) = (false, false)
    // A byte more ends the last word.
    for (index, byte) in (text + [0]).enumerated() {
      // JSON may have one before a slash.
      if byte == UInt8(ascii: "\\"), text[(index + 1)...].first == UInt8(ascii: "/") { continue }
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
      if isLetter, !isInTag, !isEscaped {
        word.append(byte)
      } else if !word.isEmpty {
        if word.count > 2, !word.allSatisfy(isHexadecimal) {
          wordsOfRun.append(String(decoding: word, as: UTF8.self))
        }
        word = []
      }
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if isDigit || isLetter && byte < 0x80 || "+/=".utf8.contains(byte) {
        run.append(byte)
        runHasDigit = runHasDigit || isDigit
      } else {
        if let text = textInBase64(run) {
          words.formUnion(Self.words(of: text))
        } else if run.count < 40 || !runHasDigit {
          words.formUnion(wordsOfRun)
        }
        (run, runHasDigit, wordsOfRun) = ([], false, [])
      }
      // "\nLake" in JSON holds the word Lake.
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      if isXML, byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") {
        isInTag = byte == UInt8(ascii: "<")
      }
    }
    return words
  }

  /// The text that characters are in Base64; nil for other bytes, and for a few characters, which may be a
  /// word.
  private static func textInBase64(_ characters: [UInt8]) -> [UInt8]? {
    guard characters.count >= 12, let data = Data(base64Encoded: Data(characters)),
      !data.contains(0), String(bytes: data, encoding: .utf8) != nil
    else { return nil }
    return Array(data)
  }

  private static func isHexadecimal(_ letter: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter | 0x20)
  }

  /// The strings of a binary property list, in the order of its objects; nil for other bytes.
  private static func strings(ofPropertyList bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.count >= 40 else { return nil }
    func number(at range: Range<Int>) -> Int {
      bytes[range].reduce(0) { $0 << 8 | Int($1) }
    }
    let referenceSize = Int(bytes[bytes.count - 25])
    let end = number(at: bytes.count - 8..<bytes.count)
    guard (8...bytes.count - 32).contains(end) else { return nil }
    var strings: [[UInt8]] = []
    var index = 8
    while index < end {
      let (kind, low) = (bytes[index] >> 4, Int(bytes[index] & 15))
      index += 1
      var count = low
      if low == 15, [4, 5, 6, 10, 12, 13].contains(kind), index + 9 < bytes.count {
        let width = 1 << Int(bytes[index] & 3)
        count = number(at: index + 1..<index + 1 + width)
        index += 1 + width
      }
      guard (0...bytes.count).contains(count) else { return nil }
      let sizes = [
        0: 0, 1: 1 << low, 2: 1 << low, 3: 8, 4: count, 5: count, 6: 2 * count, 8: low + 1,
        10: count * referenceSize, 12: count * referenceSize, 13: 2 * count * referenceSize,
      ]
      guard let size = sizes[Int(kind)], size <= end - index else { return nil }
      let contents = Array(bytes[index..<index + size])
      // Data may be a text, as JSON in user defaults is.
      let isText = kind == 4 && String(bytes: contents, encoding: .utf8) != nil
      if kind == 5 || isText { strings.append(contents) }
      if kind == 6, let text = String(bytes: contents, encoding: .utf16BigEndian) {
        strings.append(Array(text.utf8))
      }
      index += size
    }
    return strings
  }
}
