import BackupDiagnostics
import TestSupport

@testable import BackupJSON5

/// Returns the mistake that the reader finds in bytes; nil if they are JSON5.
func mistake(in bytes: [UInt8], maximumDepth: Int = 128) -> SyntaxError? {
  do {
    _ = try JSON5Reader.read(bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return error
  }
}

/// Returns the mistake that the reader finds in a text; nil if it is JSON5.
func mistake(in text: String) -> SyntaxError? {
  mistake(in: Array(text.utf8))
}

/// Returns the string that a text is read as; nil if it is no string.
func string(_ text: String) -> String? {
  guard case .string(let string)? = (try? LocatedValue(json5: text))?.kind else { return nil }
  return string
}

/// Returns the number that a text is read as; nil if it is no number.
func number(_ text: String) -> JSON5Number? {
  guard case .number(let number)? = (try? LocatedValue(json5: text))?.kind else { return nil }
  return number
}

/// Returns the keys of the object that a text is read as; nil if it is no object.
func keys(_ text: String) -> [String]? {
  guard case .object(let members)? = (try? LocatedValue(json5: text))?.kind else { return nil }
  return members.map(\.key)
}
