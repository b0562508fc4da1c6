import Foundation

extension Int {
  /// The number with its noun, as a sentence has them: `1 file`, `2 files`, `3 entries`.
  package func counted(_ noun: String, plural: String? = nil) -> String {
    "\(self) \(form(noun, plural: plural))"
  }

  /// The form that a word takes for this number, without the number: `backup` for 1, else
  /// `backups`; a verb works too, as `holds` with the plural `hold`.
  package func form(_ singular: String, plural: String? = nil) -> String {
    self == 1 ? singular : plural ?? singular + "s"
  }
}

extension BinaryInteger {
  /// So many bytes for a person to read, in powers of 1000 with one digit after the point: `999
  /// bytes`, `1.0 KB`, `710.0 MB`.
  package var formattedSize: String {
    guard self >= 1000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    let units = ["KB", "MB", "GB", "TB"]
    var (value, unit) = (Double(self) / 1000, 0)
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// The size and, from 1 KB on, the exact bytes, for sizes that are compared: `1.0 MB (1000040
  /// bytes)`.
  package var formattedExactSize: String {
    self < 1000 ? formattedSize : "\(formattedSize) (\(self) bytes)"
  }

  /// Two different sizes as a sentence compares them, with exact bytes if they would read the same.
  package static func formattedSizes(_ first: Self, _ second: Self) -> (String, String) {
    let sizes = (first.formattedSize, second.formattedSize)
    return sizes.0 == sizes.1 ? (first.formattedExactSize, second.formattedExactSize) : sizes
  }
}

extension [String] {
  /// The texts as a sentence lists them: `a`, `a and b`, `a, b and c`.
  package var joinedInWords: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension String {
  /// The text, shortened and with an ellipsis where it has more characters than these.
  package func cut(to count: Int) -> String {
    self.count > count ? "\(prefix(count))…" : self
  }

  /// The text with its middle left out if it has more Unicode scalars than these: `begin… (3900000
  /// characters) …end`. A character may have any number of scalars, so these are counted.
  package func cutInMiddle(to count: Int) -> String {
    guard utf8.count > count, unicodeScalars.count > count else { return self }
    let begin = String(unicodeScalars.prefix(count / 2))
    let end = String(unicodeScalars.suffix(count / 2))
    return "\(begin)… (\(unicodeScalars.count) characters) …\(end)"
  }

  /// How many Unicode scalars of a message are said, which a file may have any text put into.
  package static let longestMessage = 2000

  /// The text as a line of a message, cut in its middle where no reader would want all of it.
  package var asMessage: String { cutInMiddle(to: Self.longestMessage) }

  /// The text with spaces behind it, as the cells of a column stand below each other.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with spaces before it, as numbers stand below each other.
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
    // By bytes: a mark that joins a quote would hide it.
    let parts = utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "'\\''") + "'"
  }

  /// A folder's path without the slashes that a shell's completion leaves at its end.
  package var withoutEndingSlash: String {
    var path = self[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}

extension Error {
  /// Why a file could not be read or written, in the system's words where Foundation passes them
  /// on.
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

  /// The system's words for an error of a call, but Foundation's for what is missing.
  private static func words(for number: Int) -> String {
    number == Int(ENOENT)
      ? "no such file or folder"
      : String(cString: strerror(Int32(truncatingIfNeeded: number))).lowercased()
  }
}
