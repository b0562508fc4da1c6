#if os(macOS) || os(Linux)
import BackupFileTree
import BackupScenarios

/// The paths, kinds, contents and marks of a container's items, without random parts of names.
struct DiskState: Hashable, CustomStringConvertible {
  /// A line for each item, in order.
  private let lines: [String]

  /// Creates a state from a tree that has the checksums of the contents.
  init(_ tree: FileTree) {
    var lines: [String] = []
    tree.walk { path, item in
      let kind =
        switch item.kind {
        // SQLite writes random numbers to a journal.
        case .file(let file) where path.name.isDatabaseSibling: "\(file.size)"
        case .file(let file):
          "\(file.size) \(file.checksum) \(file.isDatabase)"
        case .directory: "directory"
        case .link(let target): "-> \(String(decoding: target, as: UTF8.self))"
        default: "\(item.kind)"
        }
      let name = NameForm.replacingRandomParts("\(path)")
        .replacing(/\.dat\.nosync[^\/]*/, with: ".dat")
      lines.append("\(name) \(kind) \(item.marks)")
      return true
    }
    self.lines = lines.sorted()
  }

  var description: String { lines.joined(separator: "\n") }
}
#endif
