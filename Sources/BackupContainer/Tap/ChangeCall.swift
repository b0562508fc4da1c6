package import BackupFileTree

/// A call of the app's code that changed an item or failed on one, as FileSystemTap noted it.
package struct ChangeCall: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case save, move, removal, mark, unmark
    /// The code tried to make or write an item that a device refuses.
    case refusal
    /// The code looked for an item, or tried to open it, and the item is missing.
    case look
  }

  package let kind: Kind
  /// The path of the item; for a move, its new path.
  package let path: ContainerPath
  /// The executable that contains the code.
  package let program: String
  /// The return addresses on the stack, relative to the start of the program. The innermost is the
  /// first.
  package let callers: [UInt64]

  /// Reads notes of calls. Skips notes in a wrong format and notes about items outside the
  /// container.
  ///
  /// Also skips writes of user defaults: Foundation writes them at any time, and the code on the
  /// stack is seldom the code that set a value.
  static func all(
    in notes: [String], _ containerPath: (String) -> ContainerPath?
  ) -> [ChangeCall] {
    // An action may leave thousands of notes, and most of them begin with the same line.
    var headers: [Substring: Header] = [:]
    return notes.compactMap { note in
      guard let lineEnd = note.utf8.firstIndex(of: UInt8(ascii: "\n")),
        let header = headers[note[..<lineEnd]] ?? Header(note[..<lineEnd]),
        let path = containerPath(String(note[note.utf8.index(after: lineEnd)...]))
      else { return nil }
      headers[note[..<lineEnd]] = header
      if path.isUserDefaultsFile, [.save, .move, .removal].contains(header.kind) { return nil }
      return ChangeCall(
        kind: header.kind, path: path, program: header.program, callers: header.callers)
    }
  }

  /// The first line of a note, which has everything except the path.
  private struct Header {
    let kind: Kind
    let program: String
    let callers: [UInt64]

    init?(_ line: Substring) {
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, let number = UInt32(words[0], radix: 16) else { return nil }
      self.kind =
        switch TapLog.Kind(rawValue: number) {
        case .rename: .move
        case .unlink, .removeDirectory: .removal
        case .setAttribute: .mark
        case .removeAttribute: .unmark
        case .refused: .refusal
        case .look: .look
        default: .save
        }
      self.program = String(words[2])
      self.callers = words[1].split(separator: ",").compactMap { UInt64($0, radix: 16) }
        .filter { $0 > 0 }
    }
  }
}
