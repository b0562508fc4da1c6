import BackupDiagnostics
import BackupFileTree
import TestSupport
import Testing
import TreeSupport

/// Lists of a container's items that were written on a device.
@Suite struct ContainerListTests {
  /// The first line of a list.
  private static let head = "# container-list 1 com.example.app 26\n"
  /// The attribute of today's mark.
  private static let mark = "com.apple.metadata:com_apple_backup_excludeItem"

  /// A list of these lines.
  private func list(_ lines: String...) throws -> ContainerList {
    try ContainerList(Array((Self.head + lines.joined(separator: "\n")).utf8))
  }

  /// A tree with a file at each path.
  private func tree(_ paths: String...) throws -> FileTree {
    var tree = FileTree()
    for path in paths {
      let path = try ContainerPath(path)
      if let parent = path.parent { tree.ensureDirectory(parent) }
      tree.insert(FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: path)
    }
    return tree
  }

  @Test func `the first line names the app and the system`() throws {
    let list = try list()
    #expect(list.bundleIdentifier == "com.example.app")
    #expect(list.system == "26")
  }

  @Test func `an item has the marks of the attributes that are listed`() throws {
    let list = try list(
      "Documents\td\t0\t\t1", "Documents/a\tf\t1\tcom.apple.quarantine,\(Self.mark)\t2\t",
      "Documents/b\tf\t1\tcom.apple.MobileBackup\t3\t", "Documents/c\tf\t1\tother\t4\t\r", "")
    let outcome = list.mark(try tree("Documents/a", "Documents/b", "Documents/c"))
    #expect(outcome.tree["Documents/a"]?.marks == .resourceValue)
    #expect(outcome.tree["Documents/b"]?.marks == .extendedAttribute)
    #expect(outcome.tree["Documents/c"]?.marks == [])
    #expect(outcome.markedCount == 2)
    #expect(outcome.missing.isEmpty)
    #expect(outcome.unlistedCount == 0)
  }

  @Test func `a mark that an item has already stays`() throws {
    var tree = try tree("a")
    tree.modify("a") { $0.marks = .extendedAttribute }
    let outcome = try list("a\tf\t1\t\(Self.mark)\t2\t").mark(tree)
    let both: ExclusionMark = [.extendedAttribute, .resourceValue]
    #expect(outcome.tree["a"]?.marks == both)
  }

  @Test func `paths are escaped as in golden files`() throws {
    let path = ContainerPath(ContainerPath.Component(unchecked: Array("a\tb\n\\".utf8) + [0xFF]))
    var tree = FileTree()
    tree.insert(FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: path)
    let outcome = try list("a\\tb\\n\\\\\\xFF\tf\t1\t\(Self.mark)\t2\t").mark(tree)
    #expect(outcome.tree[path]?.marks == .resourceValue)
  }

  @Test func `what only the list has is named, and what only the tree has is counted`() throws {
    let outcome = try list(
      "b\tf\t1\t\t2\t", "../../etc/passwd\tf\t1\t\(Self.mark)\t3\t", "a\tf\t1\t\t4\t",
      "Documents/container.list\tf\t1\t\t5\t"
    ).mark(try tree("a", "c", "d"))
    #expect(outcome.missing == ["../../etc/passwd", "b"])
    #expect(outcome.unlistedCount == 2)
    #expect(outcome.markedCount == 0)
  }

  @Test(
    arguments: [
      ("", 1, 1, "this is not a container list"),
      ("hello\n", 1, 1, "this is not a container list"),
      ("# container-list 2 a 26\n", 1, 18, "unknown format '2'"),
      ("# container-list 1 a\n", 1, 1, "expected the app's bundle identifier"),
      ("\(head)a\tf\t1\n", 2, 1, "the line has 3 fields; expected 5 or 6"),
      ("\(head)\na\tf\t1\t\t2\t\t\n", 3, 1, "the line has 7 fields"),
      ("\(head)a\tx\t1\t\t2\t\n", 2, 3, "unknown kind 'x'; expected f, d, l or o"),
      ("\(head)a\tf\t-1\t\t2\t\n", 2, 5, "'-1' is not a number of bytes"),
      ("\(head)a\tf\t1\tname\tz\t\n", 2, 12, "'z' is not an inode number"),
      ("\(head)\tf\t1\t\t2\t\n", 2, 1, "the path has 0 bytes"),
      ("\(head)\(String(repeating: "a", count: 4097))\tf\t1\t\t2\t\n", 2, 1, "the path has 4097"),
      ("\(head)a\tf\t1\t\t2\t\na\tf\t1\t\t2\t\n", 3, 1, "'a' is listed twice"),
    ])
  func `a mistake is said at its place`(
    text: String, line: Int, column: Int, message: String
  ) throws {
    let mistake = #expect(throws: SyntaxError.self) {
      try ContainerList(Array(text.utf8))
    }
    #expect(mistake?.position == SourcePosition(line: line, column: column))
    #expect(mistake?.message.hasPrefix(message) == true, "\(mistake?.message ?? "")")
  }

  @Test func `items, marks, links and escaped names are read`() throws {
    let list = try ContainerList(
      Array(
        """
        # container-list 1 com.example.app 18.1
        Documents\td\t0\tcom.apple.metadata:com_apple_backup_excludeItem\t1\t
        Documents/a\\tb\\u{202E}\\\\\\xFF\tf\t5\tcom.apple.MobileBackup,user.x\t2\t
        Documents/link\tl\t0\t\t3\t../a\\nb
        Documents/pipe\to\t0\t\t4\t
        Library/x.db\tf\t9\t\t5\t
        Library/x.db-wal\tf\t7\t\t6\t
        """.utf8))
    let tree = try list.tree()
    let odd = try ContainerPath(bytes: Array("Documents/a\tb\u{202E}\\".utf8) + [0xFF])
    #expect(tree[odd]?.size == 5)
    #expect(tree[odd]?.marks == .extendedAttribute)
    #expect(tree["Documents"]?.marks == .resourceValue)
    let link = tree["Documents/link"]
    #expect(link?.kind == .link(target: Array("../a\nb".utf8)))
    #expect(tree["Documents/pipe"]?.kind == .special)
    let database = tree["Library/x.db"]
    #expect(database?.kind == .file(FileTree.FileInformation(size: 9, isDatabase: true)))
  }

  @Test(arguments: [
    "../a\tf\t1\t\t1\t", "/a\tf\t1\t\t1\t", "a\tq\t1\t\t1\t", "a\tf\t-1\t\t1\t",
    "a\tf\tmany\t\t1\t", "a\\q\tf\t1\t\t1\t", "a\tl\t1\t\t1\t\\q", "a\\\tf\t1\t\t1\t",
    "a\\u{110000}\tf\t1\t\t1\t",
    "a\\u{41\tf\t1\t\t1\t", "a\\x4\tf\t1\t\t1\t", "group.a.b:\td\t0\t\t1\t", "a\\xZZ\tf\t1\t\t1\t",
  ])
  func `a line that is none is an error that says which`(line: String) throws {
    let text = "# container-list 1 a.b 18\nDocuments\td\t0\t\t1\t\n\(line)\n"
    let mistake = #expect(throws: SyntaxError.self) {
      try ContainerList(Array(text.utf8)).tree()
    }
    #expect(mistake?.position.line == 3)
  }

  @Test func `no bytes make the reader crash`() {
    var generator = SeededGenerator(seed: 13)
    let text = Array((Self.head + "Documents/a\tf\t1\t\(Self.mark)\t2\tb\n").utf8)
    for _ in 0..<2000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      _ = try? ContainerList(
        Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
      ).tree()
    }
  }
}
