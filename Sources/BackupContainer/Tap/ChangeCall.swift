package import BackupFileTree

/// A call by which the app's code changed an item, or used one in vain, as FileSystemTap noted it.
package struct ChangeCall: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case save, move, removal, mark, unmark
    /// A device refuses to make or write the item.
    case refusal
    /// The item was looked for or opened, and is missing.
    case look
  }

  package let kind: Kind
  /// The item; for a move where it is afterwards.
  package let path: ContainerPath
  /// The executable that has the code.
  package let program: String
  /// The functions on the stack, the innermost first, each by the address to which it would have
  /// returned, from the program's start.
  package let callers: [UInt64]

  /// Reads a note; nil if its format is wrong, or if the item is not in the container. A write of user
  /// defaults is left out too: Foundation writes them when it likes, and the code on the stack is seldom
  /// what set a value.
  init?(_ note: String, _ containerPath: (String) -> ContainerPath?) {
    let lines = note.split(separator: "\n", maxSplits: 1)
    guard let head = lines.first, lines.count == 2 else { return nil }
    let words = head.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 3, let number = UInt32(words[0], radix: 16),
      let path = containerPath(String(lines[1]))
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
    self.program = String(words[2])
    let callers = words[1].split(separator: ",").compactMap { UInt64($0, radix: 16) }
    self.callers = callers.filter { $0 > 0 }
  }
}
