package import BackupFileTree

/// A call of the app's code that changed an item or failed on one, as FileSystemTap noted it.
package struct ChangeCall: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case save, move, removal, mark, unmark
    /// A device refuses to make or write the item.
    case refusal
    /// The item was looked for or opened, and is missing.
    case look
  }

  package let kind: Kind
  /// The path of the item; for a move, its new path.
  package let path: ContainerPath
  /// The executable that contains the code.
  package let program: String
  /// The functions on the stack, the innermost first, each as its return address relative to the
  /// start of the program.
  package let callers: [UInt64]

  /// Reads notes, leaving out those of a wrong format and those on items outside the container.
  /// Writes of user defaults are left out too: Foundation writes them at any time, and the code on
  /// the stack is seldom the code that set a value.
  static func all(
    in notes: [String], _ containerPath: (String) -> ContainerPath?
  ) -> [ChangeCall] {
    // An action may leave thousands of notes, most of them by the same code.
    var codes: [Substring: Code] = [:]
    return notes.compactMap { note in
      guard let end = note.utf8.firstIndex(of: UInt8(ascii: "\n")),
        let code = codes[note[..<end]] ?? Code(note[..<end]),
        let path = containerPath(String(note[note.utf8.index(after: end)...]))
      else { return nil }
      codes[note[..<end]] = code
      if path.isOfUserDefaults, [.save, .move, .removal].contains(code.kind) { return nil }
      return ChangeCall(
        kind: code.kind, path: path, program: code.program, callers: code.callers)
    }
  }

  /// The first line of a note, which says everything but the path.
  private struct Code {
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
