import Foundation

extension Int {
  /// Returns the number with its noun, as in a sentence: `1 file`, `2 files`, `3 entries`.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(wordForm(noun, plural: plural))"
  }

  /// Returns the singular or the plural of a word, without the number: `backup` for 1, otherwise
  /// `backups`. For a verb, pass its plural: `wordForm("holds", plural: "hold")`.
  package func wordForm(_ singular: String, plural: String? = nil) -> String {
    self == 1 ? singular : plural ?? singular + "s"
  }
}

extension BinaryInteger {
  /// The number of bytes as text, in powers of 1000 with one decimal: `999 bytes`, `1.0 KB`,
  /// `710.0 MB`.
  package var formattedSize: String {
    guard self >= 1000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    let units = ["KB", "MB", "GB", "TB"]
    var (value, unitIndex) = (Double(self) / 1000, 0)
    while value >= 999.95, unitIndex < units.count - 1 {
      (value, unitIndex) = (value / 1000, unitIndex + 1)
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unitIndex])"
  }

  /// The number of bytes as text, from 1 KB on with the exact number: `1.0 MB (1000040 bytes)`.
  package var formattedExactSize: String {
    self < 1000 ? formattedSize : "\(formattedSize) (\(self) bytes)"
  }

  /// Returns two sizes as texts for a comparison. If the texts would be equal, both have
  /// the exact number of bytes.
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

  /// The maximum number of names in ``shortList``.
  private static var maximumListedCount: Int { 5 }

  /// The first names and the number of the others: `a, b, c, d, e and 3 more`. Each name is escaped
  /// and cut.
  package var shortList: String {
    let names = prefix(Self.maximumListedCount).map(\.escapedExcerpt).joined(separator: ", ")
    return names
      + (count > Self.maximumListedCount ? " and \(count - Self.maximumListedCount) more" : "")
  }
}

extension String {
  /// Returns the text. If it has more than `count` characters, the text is cut and ends in `…`.
  package func cut(to count: Int) -> String {
    self.count > count ? "\(prefix(count))…" : self
  }

  /// Returns the text. If it has more than `count` Unicode scalars, the text loses its middle:
  /// `begin… (3900000 characters) …end`. The method counts scalars, because one character may have
  /// any number of scalars.
  package func cutInMiddle(to count: Int) -> String {
    guard utf8.count > count, unicodeScalars.count > count else { return self }
    let beginning = String(unicodeScalars.prefix(count / 2))
    let end = String(unicodeScalars.suffix(count / 2))
    return "\(beginning)… (\(unicodeScalars.count) characters) …\(end)"
  }

  /// The maximum number of Unicode scalars in a message. A message may quote a file, which may have
  /// any length.
  package static let maximumMessageLength = 2000

  /// The text for a message. A very long text loses its middle.
  package var asMessage: String { cutInMiddle(to: Self.maximumMessageLength) }

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
    // Splits bytes, because Swift takes `'` and a combining mark after it for one character.
    let parts = utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
  }

  /// The path of a folder without the slashes that a shell's completion adds at its end.
  package var withoutEndingSlash: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

extension Error {
  /// The reason why a file could not be read or written: the system's text if the error has a POSIX
  /// error number, or else Foundation's description.
  package var reason: String {
    let error = self as NSError
    if error.domain == NSPOSIXErrorDomain { return Self.systemText(for: error.code) }
    let codesOfMissingFile = [
      CocoaError.fileNoSuchFile.rawValue, CocoaError.fileReadNoSuchFile.rawValue,
    ]
    if error.domain == NSCocoaErrorDomain, codesOfMissingFile.contains(error.code) {
      return "no such file or folder"
    }
    let underlyingError = error.userInfo[NSUnderlyingErrorKey] as? any Error
    guard let underlyingError = underlyingError as? NSError,
      underlyingError.domain == NSPOSIXErrorDomain
    else {
      return localizedDescription
    }
    return Self.systemText(for: underlyingError.code)
  }

  /// Returns the system's text for an error number. For a missing file, this is the
  /// text that `reason` also gives for Cocoa's errors of missing files.
  private static func systemText(for number: Int) -> String {
    number == Int(ENOENT)
      ? "no such file or folder"
      : String(cString: strerror(Int32(truncatingIfNeeded: number))).lowercased()
  }
}
