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
