import BackupDiagnostics
import TestSupport

@testable import BackupJSON5

/// The mistake that the reader finds in some bytes, or nil if they are JSON5.
func mistake(in bytes: [UInt8], maximumDepth: Int = 128) -> SyntaxError? {
  do {
    _ = try JSON5Reader.read(bytes, maximumDepth: maximumDepth)
    return nil
  } catch {
    return error
  }
}

/// The mistake that the reader finds in a text, or nil if it is JSON5.
func mistake(in text: String) -> SyntaxError? {
  mistake(in: Array(text.utf8))
}

/// The string that a text stands for, or nil if it is no string.
func string(_ text: String) -> String? {
  guard case .string(let string)? = (try? LocatedValue(json5: text))?.kind else { return nil }
  return string
}

/// The number that a text stands for, or nil if it is no number.
func number(_ text: String) -> JSON5Number? {
  guard case .number(let number)? = (try? LocatedValue(json5: text))?.kind else { return nil }
  return number
}

/// The keys of the object that a text stands for, or nil if it is no object.
func keys(_ text: String) -> [String]? {
  guard case .object(let members)? = (try? LocatedValue(json5: text))?.kind else { return nil }
  return members.map(\.key)
}
