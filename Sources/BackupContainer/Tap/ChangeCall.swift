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

  /// Reads a note; nil if its format is wrong, or if the item is not in the container. Writes of
  /// user defaults are left out too: Foundation writes them at any time, and the code on the stack
  /// is seldom the code that set a value.
  init?(_ note: String, _ containerPath: (String) -> ContainerPath?) {
    // By bytes: an action may leave thousands of notes.
    let bytes = note.utf8
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = note[..<end].utf8.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let number = UInt32(Substring(words[0]), radix: 16),
      let path = containerPath(String(note[bytes.index(after: end)...]))
    else { return nil }
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
    if path.isOfUserDefaults, [.save, .move, .removal].contains(kind) { return nil }
    self.path = path
    self.program = String(Substring(words[2]))
    let callers = words[1].split(separator: UInt8(ascii: ",")).compactMap {
      UInt64(Substring($0), radix: 16)
    }
    self.callers = callers.filter { $0 > 0 }
  }
}
