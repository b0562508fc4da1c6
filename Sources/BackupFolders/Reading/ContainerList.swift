import BackupDiagnostics
package import BackupFileTree

/// `container.list`, which an app writes on a device: what its container holds, with the attributes
/// that marks are, which a downloaded container may have lost.
///
/// The first line is `# container-list 1`, the app's bundle identifier and the system, between spaces.
/// Each other line has six fields between tabs: a path, escaped as in golden files; `f` for a file,
/// `d` for a directory, `l` for a link and `o` for anything else; its bytes; the names of its
/// attributes, between commas; its inode number; and where a link leads, escaped likewise.
package struct ContainerList: Sendable {
  /// Where the app writes it, which no comparison looks at.
  package static let path = ContainerPath(unchecked: Array("Documents/container.list".utf8))
  /// The largest list that is read, in bytes.
  private static let largest = 500_000_000
  /// What the first line begins with.
  private static let header = "# container-list 1 "

  /// The bundle identifier of the app that wrote it.
  package let app: String
  /// The system that it ran on, as it names that.
  package let system: String
  /// The container.
  package private(set) var tree = FileTree()

  /// Reads a list.
  ///
  /// - Parameter path: A file that anybody may have written.
  /// - Throws: ``BackupFolderError`` with the line that is none.
  package init(at path: String) throws(BackupFolderError) {
    let bytes = try PlainFile(path: path).bytes(atMost: Self.largest)
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let first = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let words = first.dropFirst(Self.header.count).split(separator: " ", maxSplits: 1)
    guard first.hasPrefix(Self.header), words.count == 2 else {
      throw BackupFolderError(
        path,
        "line 1: expected '\(Self.header)<bundle identifier> <system>', as the list's writer has")
    }
    self.app = String(words[0])
    self.system = String(words[1])
    for (index, line) in lines.enumerated().dropFirst() {
      guard let (item, place) = Self.item(line) else {
        throw BackupFolderError(
          path,
          "line \(index + 1): expected path, kind, bytes, attributes, inode and target, "
            + "between tabs")
      }
      if let parent = place.parent { tree.ensureDirectory(parent) }
      if item.isDirectory, let found = tree[place], found.isDirectory {
        tree.modify(place) { $0.marks = item.marks }
      } else {
        tree.insert(item, at: place)
      }
    }
    markDatabases()
  }

  /// The item of a line, and its path; nil for a line that is none.
  private static func item(_ line: ArraySlice<UInt8>) -> (FileTree.Item, ContainerPath)? {
    let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
    guard fields.count == 6, let path = unescaped(fields[0]), let target = unescaped(fields[5]),
      let place = try? ContainerPath(bytes: path), !place.name.isContainer,
      let size = Int64(String(decoding: fields[2], as: UTF8.self)), size >= 0
    else { return nil }
    let kind: FileTree.Kind
    switch String(decoding: fields[1], as: UTF8.self) {
    case "f": kind = .file(FileTree.FileInformation(size: size))
    case "d": kind = .directory(FileTree.Children())
    case "l": kind = .link(target: target)
    case "o": kind = .special
    default: return nil
    }
    let names = fields[3].split(separator: UInt8(ascii: ",")).map {
      String(decoding: $0, as: UTF8.self)
    }
    let marks = ExclusionMark.all.filter { names.contains($0.attributeName) }
    return (FileTree.Item(kind, marks: marks.reduce(into: []) { $0.insert($1) }), place)
  }

  /// Takes a file for a database that has a file beside it as SQLite names those: a list does not say
  /// how contents begin.
  private mutating func markDatabases() {
    var databases: [ContainerPath] = []
    tree.walk { path, item in
      if item.size != nil, let name = path.name.databaseName {
        databases.append(ContainerPath(name, in: path.parent))
      }
      return true
    }
    for path in databases {
      tree.modify(path) { item in
        guard case .file(var information) = item.kind else { return }
        information.isDatabase = true
        item.kind = .file(information)
      }
    }
  }

  /// The bytes of an escaped text; nil for one that no escaping makes.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      guard let escape = rest.popFirst(), let taken = unescaped(escape, &rest) else { return nil }
      bytes += taken
    }
    return bytes
  }

  /// The bytes of an escape, of which the letter was taken.
  private static func unescaped(_ letter: UInt8, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    switch letter {
    case UInt8(ascii: "\\"): return [letter]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "x"):
      guard rest.count >= 2 else { return nil }
      defer { rest = rest.dropFirst(2) }
      return UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16).map { [$0] }
    case UInt8(ascii: "u"):
      guard rest.popFirst() == UInt8(ascii: "{"),
        let end = rest.firstIndex(of: UInt8(ascii: "}")),
        let value = UInt32(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      rest = rest[(end + 1)...]
      return Array(String(scalar).utf8)
    default: return nil
    }
  }
}
