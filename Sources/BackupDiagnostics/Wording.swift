import Foundation

extension Int {
  /// Returns the number with its noun, as in a sentence: `1 file`, `2 files`, `3 entries`.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(form(noun, plural: plural))"
  }

  /// Returns the form of a word for this number, without the number: `backup` for 1, else
  /// `backups`. A verb works too: `holds` with the plural `hold`.
  package func form(_ singular: String, plural: String? = nil) -> String {
    self == 1 ? singular : plural ?? singular + "s"
  }
}

extension BinaryInteger {
  /// The number of bytes for a person to read, in powers of 1000 with one digit after the point:
  /// `999 bytes`, `1.0 KB`, `710.0 MB`.
  package var formattedSize: String {
    guard self >= 1000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    let units = ["KB", "MB", "GB", "TB"]
    var (value, unit) = (Double(self) / 1000, 0)
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// The size with the exact bytes from 1 KB on, for sizes that are compared:
  /// `1.0 MB (1000040 bytes)`.
  package var formattedExactSize: String {
    self < 1000 ? formattedSize : "\(formattedSize) (\(self) bytes)"
  }

  /// Returns two different sizes for a sentence that compares them, with exact bytes if they would
  /// read the same.
  package static func formattedSizes(_ first: Self, _ second: Self) -> (String, String) {
    let sizes = (first.formattedSize, second.formattedSize)
    return sizes.0 == sizes.1 ? (first.formattedExactSize, second.formattedExactSize) : sizes
  }
}

extension [String] {
  /// The texts as a list in a sentence: `a`, `a and b`, `a, b and c`.
  package var joinedInWords: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }

  /// The maximum number of names in ``listed``.
  private static var mostListed: Int { 5 }

  /// The first names of a list, each cut and on one line, and how many more there are.
  package var listed: String {
    let shown = prefix(Self.mostListed).map(\.shown).joined(separator: ", ")
    return shown + (count > Self.mostListed ? " and \(count - Self.mostListed) more" : "")
  }
}

extension String {
  /// Returns the text, cut to this number of characters and with an ellipsis if it is longer.
  package func cut(to count: Int) -> String {
    self.count > count ? "\(prefix(count))…" : self
  }

  /// Returns the text without its middle if it has more Unicode scalars than this:
  /// `begin… (3900000 characters) …end`. Scalars are counted, because a character may have any
  /// number of them.
  package func cutInMiddle(to count: Int) -> String {
    guard utf8.count > count, unicodeScalars.count > count else { return self }
    let begin = String(unicodeScalars.prefix(count / 2))
    let end = String(unicodeScalars.suffix(count / 2))
    return "\(begin)… (\(unicodeScalars.count) characters) …\(end)"
  }

  /// The maximum number of Unicode scalars in a message, which may have any text of a file.
  package static let longestMessage = 2000

  /// The text as a line of a message, cut in the middle if it is longer than anyone would read.
  package var asMessage: String { cutInMiddle(to: Self.longestMessage) }

  /// Returns the text followed by spaces, so that the cells of a column align.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Returns the text with spaces before it, so that numbers align.
  package func paddedInFront(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  package var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        "._/-".utf8.contains(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
    guard !isPlain else { return self }
    // Splits bytes, because a combining mark would hide the quote before it.
    let parts = utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
  }

  /// The path of a folder, without the slashes that a shell's completion leaves at its end.
  package var withoutEndingSlash: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

extension Error {
  /// The reason why a file could not be read or written, in the system's words if Foundation passes
  /// them on.
  package var reason: String {
    let error = self as NSError
    if error.domain == NSPOSIXErrorDomain { return Self.words(for: error.code) }
    let missing = [CocoaError.fileNoSuchFile.rawValue, CocoaError.fileReadNoSuchFile.rawValue]
    if error.domain == NSCocoaErrorDomain, missing.contains(error.code) {
      return "no such file or folder"
    }
    let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error
    guard let underlying = underlying as? NSError, underlying.domain == NSPOSIXErrorDomain else {
      return localizedDescription
    }
    return Self.words(for: underlying.code)
  }

  /// Returns the system's words for an error number, but Foundation's for a missing file.
  private static func words(for number: Int) -> String {
    number == Int(ENOENT)
      ? "no such file or folder"
      : String(cString: strerror(Int32(truncatingIfNeeded: number))).lowercased()
  }
}
