import BackupDiagnostics
import BackupFileTree

/// Writes a container as text, for people.
enum TreeText {
  /// A line for each item: its path, size or kind, and marks.
  static func render(_ tree: FileTree) -> String {
    var lines = ""
    tree.walk { path, item in
      let marks = item.marks.isEmpty ? "" : "  marked: \(item.marks)"
      lines += "\(path)\(item.isDirectory ? "/" : "")\(note(item))\(marks)\n"
      return true
    }
    return lines
  }

  /// What there is to say of an item beside its path.
  private static func note(_ item: FileTree.Item) -> String {
    switch item.kind {
    case .file(let information): "  \(information.size)"
    case .directory: ""
    case .link(let target): "  -> \(EscapedText.escape(target))"
    case .special: "  not a file"
    case .unreadable(let reason): "  unreadable: \(reason)"
    }
  }
}
