#if os(macOS) || os(Linux)
import BackupFileTree
import BackupScenarios

/// What a container holds, without what is random in names: paths, kinds, contents and marks.
struct DiskState: Hashable, CustomStringConvertible {
  /// A line for each item, in order.
  private let lines: [String]

  /// What a look with the contents' sums has found.
  init(_ tree: FileTree) {
    var lines: [String] = []
    tree.walk { path, item in
      let kind =
        switch item.kind {
        // In a journal SQLite has random numbers.
        case .file(let file) where path.name.isDatabaseSibling: "\(file.size)"
        case .file(let file):
          "\(file.size) \(file.contents) \(file.isDatabase)"
        case .directory: "directory"
        case .link(let target): "-> \(String(decoding: target, as: UTF8.self))"
        default: "\(item.kind)"
        }
      let name = NameForm.withoutRandomParts("\(path)")
        .replacing(/\.dat\.nosync[^\/]*/, with: ".dat")
      lines.append("\(name) \(kind) \(item.marks)")
      return true
    }
    self.lines = lines.sorted()
  }

  var description: String { lines.joined(separator: "\n") }
}
#endif
