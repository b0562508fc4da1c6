import BackupDiagnostics
import BackupFileTree
import TestSupport
import Testing
import TreeSupport

/// Lists of a container's items that were written on a device.
@Suite struct ContainerListTests {
  /// The first line of a list.
  private static let head = "# container-list 1 com.example.app 26\n"
  /// The name of the extended attribute that stores the current mark.
  private static let mark = "com.apple.metadata:com_apple_backup_excludeItem"

  /// Returns a list with these lines.
  private func list(_ lines: String...) throws -> ContainerList {
    try ContainerList(Array((Self.head + lines.joined(separator: "\n")).utf8))
  }

  /// Returns a tree with a file at each path.
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
    let outcome = list.marking(try tree("Documents/a", "Documents/b", "Documents/c"))
    #expect(outcome.tree["Documents/a"]?.marks == .resourceValue)
    #expect(outcome.tree["Documents/b"]?.marks == .extendedAttribute)
    #expect(outcome.tree["Documents/c"]?.marks == [])
    #expect(outcome.markedItemCount == 2)
    #expect(outcome.missingPaths.isEmpty)
    #expect(outcome.unlistedItemCount == 0)
  }

  @Test func `a mark that an item has already stays`() throws {
    var tree = try tree("a")
    tree.modify("a") { $0.marks = .extendedAttribute }
    let outcome = try list("a\tf\t1\t\(Self.mark)\t2\t").marking(tree)
    let bothMarks: ExclusionMark = [.extendedAttribute, .resourceValue]
    #expect(outcome.tree["a"]?.marks == bothMarks)
  }

  @Test func `paths are escaped as in golden files`() throws {
    let path = ContainerPath(ContainerPath.Component(unchecked: Array("a\tb\n\\".utf8) + [0xFF]))
    var tree = FileTree()
    tree.insert(FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: path)
    let outcome = try list("a\\tb\\n\\\\\\xFF\tf\t1\t\(Self.mark)\t2\t").marking(tree)
    #expect(outcome.tree[path]?.marks == .resourceValue)
  }

  @Test
  func `items that only the list has are named, and items that only the tree has are counted`()
    throws
  {
    let outcome = try list(
      "b\tf\t1\t\t2\t", "../../etc/passwd\tf\t1\t\(Self.mark)\t3\t", "a\tf\t1\t\t4\t",
      "Documents/container.list\tf\t1\t\t5\t"
    ).marking(try tree("a", "c", "d"))
    #expect(outcome.missingPaths == ["../../etc/passwd", "b"])
    #expect(outcome.unlistedItemCount == 2)
    #expect(outcome.markedItemCount == 0)
  }

  @Test(
    arguments: [
      ("", 1, 1, "this is not a container list"),
      ("hello\n", 1, 1, "this is not a container list"),
      ("# container-list 3 a 26\n", 1, 18, "unknown format '3'"),
      ("# container-list 1 a 26 after=update\n", 1, 1, "expected the app's bundle identifier"),
      ("# container-list 2 a 26 x=y after=z\n", 1, 29, "unknown occasion 'after=z'"),
      ("# container-list 1 a\n", 1, 1, "expected the app's bundle identifier"),
      ("\(head)a\tf\t1\n", 2, 1, "the line has 3 fields; expected 5 or more"),
      ("\(head)\na\tf\t1\t\t2\t\t\n", 3, 11, "'' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tword\n", 2, 11, "'word' is malformed; expected 'key=value'"),
      ("\(head)a\tf\t1\t\t2\t\tx=y\tmode=8\n", 2, 15, "'mode=8' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tlinks=\n", 2, 11, "'links=' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tcreated=1.5\n", 2, 11, "'created=1.5' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tmodified=now\n", 2, 11, "'modified=now' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tasks=\\q\n", 2, 11, "'asks=\\\\q' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tasks=\n", 2, 11, "'asks=' is malformed"),
      ("\(head)a\tf\t1\t\t2\t\tmarked=no\n", 2, 11, "'marked=no' is malformed"),
      ("\(head)a\tx\t1\t\t2\t\n", 2, 3, "unknown kind 'x'; expected f, d, l, o or -"),
      ("\(head)a\tf\t-1\t\t2\t\n", 2, 5, "'-1' is not a number of bytes"),
      ("\(head)a\tf\t1\tname\tz\t\n", 2, 12, "'z' is not an inode number"),
      ("\(head)\tf\t1\t\t2\t\n", 2, 1, "the path has 0 bytes"),
      ("\(head)\(String(repeating: "a", count: 4097))\tf\t1\t\t2\t\n", 2, 1, "the path has 4097"),
      ("\(head)a\tf\t1\t\t2\t\na\tf\t1\t\t2\t\n", 3, 1, "'a' is listed twice"),
    ])
  func `an error has the position of the mistake`(
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

  @Test func `the second format has an occasion, and more of each item`() throws {
    let list = try ContainerList(
      Array(
        """
        # container-list 2 com.example.probe 26.1.0 later=key after=update
        a\tf\t5\t\t2\t\tclass=complete\tmode=640\tlinks=2\tcreated=-5\tmodified=7
        b\tf\t5\t\t2\t\tasks=a b\\\\c=d\tmarked=yes\tlater=\r
        c\t-\t0\t\t0\tnot\\npermitted\tasks=in c
        """.utf8))
    #expect(list.precedingEvent == .update)
    let first = try #require(list.linesByPath["a"])
    #expect(first.permissions == 0o640)
    #expect(first.linkCount == 2)
    #expect(first.creationTime == -5)
    #expect(first.modificationTime == 7)
    #expect(first.question == nil)
    #expect(!first.wasMarked)
    #expect(list.linesByPath["b"]?.question == "a b\\c=d")
    #expect(list.linesByPath["b"]?.wasMarked == true)
    #expect(list.linesByPath["b"]?.permissions == nil)
    #expect(list.linesByPath["c"]?.question == "in c")
    #expect(list.linesByPath["c"]?.targetOrReason == "not\\npermitted")
    #expect(try self.list().precedingEvent == nil)
  }

  @Test func `a line about an item that could not be created is no item, and is not missing`()
    throws
  {
    let list = try list("a\t-\t0\t\t0\twhy\tasks=in a", "b\tf\t1\t\t2\t")
    #expect(try list.tree().paths(from: nil) == [ContainerPath("b")])
    #expect(list.marking(try tree("b")).missingPaths.isEmpty)
  }

  @Test func `each occasion has a path for its list, and no list counts as missing`() throws {
    let places = ContainerList.allPaths.map(\.description)
    #expect(
      places == [
        "Documents/container.list", "Documents/after-restore.list", "Documents/after-update.list",
        "Documents/after-offload.list", "Documents/after-transfer.list",
        "Documents/after-purge.list",
      ])
    for place in places {
      #expect(try list("\(place)\tf\t1\t\t5\t").marking(tree("a")).missingPaths.isEmpty, "\(place)")
    }
  }

  @Test(arguments: [
    "../a\tf\t1\t\t1\t", "/a\tf\t1\t\t1\t", "a\tq\t1\t\t1\t", "a\tf\t-1\t\t1\t",
    "a\tf\tmany\t\t1\t", "a\\q\tf\t1\t\t1\t", "a\tl\t1\t\t1\t\\q", "a\\\tf\t1\t\t1\t",
    "a\\u{110000}\tf\t1\t\t1\t",
    "a\\u{41\tf\t1\t\t1\t", "a\\x4\tf\t1\t\t1\t", "group.a.b:\td\t0\t\t1\t", "a\\xZZ\tf\t1\t\t1\t",
    "file/a\tf\t1\t\t1\t", "file\td\t0\t\t1\t", "\\x66ile\tf\t1\t\t1\t",
  ])
  func `a malformed line is an error with its number`(line: String) throws {
    let text = "# container-list 1 a.b 18\nfile\tf\t1\t\t1\t\n\(line)\n"
    let mistake = #expect(throws: SyntaxError.self) {
      try ContainerList(Array(text.utf8)).tree()
    }
    #expect(mistake?.position.line == 3)
  }

  @Test func `no bytes make the reader crash`() {
    var generator = SeededGenerator(seed: 13)
    let line = "Documents/a\tf\t1\t\(Self.mark)\t2\tb\tmode=7\tlinks=1\tasks=a\tmarked=yes\n"
    let text = Array((Self.head + line).utf8)
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
