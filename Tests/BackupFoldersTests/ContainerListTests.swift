import BackupFileTree
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// `container.list`, which an app writes on a device.
@Suite struct ContainerListTests {
  /// The list of a text.
  private static func list(_ text: String) throws -> ContainerList {
    let folder = try TestFolder(["container.list": text])
    return try ContainerList(at: folder.url("container.list").path)
  }

  @Test func `items, marks, links and escaped names are read`() throws {
    let list = try Self.list(
      """
      # container-list 1 com.example.app iOS 18.1
      Documents\td\t0\t\t1\t
      Documents/a\\tb\\u{202E}\\\\\\xFF\tf\t5\tcom.apple.MobileBackup,user.x\t2\t
      Documents/link\tl\t0\t\t3\t../a\\nb
      Documents/pipe\to\t0\t\t4\t
      Library/x.db\tf\t9\t\t5\t
      Library/x.db-wal\tf\t7\t\t6\t
      Documents\td\t0\tcom.apple.metadata:com_apple_backup_excludeItem\t1\t

      """)
    #expect(list.app == "com.example.app")
    #expect(list.system == "iOS 18.1")
    let odd = try ContainerPath(bytes: Array("Documents/a\tb\u{202E}\\".utf8) + [0xFF])
    #expect(list.tree[odd]?.size == 5)
    #expect(list.tree[odd]?.marks == .extendedAttribute)
    #expect(list.tree[try ContainerPath("Documents")]?.marks == .resourceValue)
    let link = list.tree[try ContainerPath("Documents/link")]
    #expect(link?.kind == .link(target: Array("../a\nb".utf8)))
    #expect(list.tree[try ContainerPath("Documents/pipe")]?.kind == .special)
    let database = list.tree[try ContainerPath("Library/x.db")]
    #expect(database?.kind == .file(FileTree.FileInformation(size: 9, isDatabase: true)))
  }

  @Test(arguments: [
    "../a\tf\t1\t\t1\t", "/a\tf\t1\t\t1\t", "a\tf\t1\t\t1", "a\tq\t1\t\t1\t", "a\tf\t-1\t\t1\t",
    "a\tf\tmany\t\t1\t", "a\\q\tf\t1\t\t1\t", "a\\\tf\t1\t\t1\t", "a\\u{110000}\tf\t1\t\t1\t",
    "a\\u{41\tf\t1\t\t1\t", "a\\x4\tf\t1\t\t1\t", "group.a.b:\td\t0\t\t1\t", "a\\xZZ\tf\t1\t\t1\t",
  ])
  func `a line that is none is an error that says which`(line: String) throws {
    let error = #expect(throws: BackupFolderError.self) {
      try Self.list("# container-list 1 a.b 18\nDocuments\td\t0\t\t1\t\n\(line)\n")
    }
    #expect(error?.reason.hasPrefix("line 3: expected path, kind") == true)
  }

  @Test(arguments: ["", "# container-list 2 a.b 18\n", "# container-list 1 a.b\n", "Documents\n"])
  func `a file that is no list is said to be none`(text: String) throws {
    let error = #expect(throws: BackupFolderError.self) { try Self.list(text) }
    #expect(error?.reason.hasPrefix("line 1: expected '# container-list 1 ") == true)
  }

  @Test func `the list itself is in no comparison, and a record says what differs`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try ManifestEditing.add(
      BackupRecord(.file(size: 1)), at: "Documents/container.list", in: backup.domains[0],
      of: "\(backup.device)/Manifest.db")
    #expect(try backup.comparison().isClean)
    var tree = backup.tree
    tree.insert(
      FileTree.Item(.file(FileTree.FileInformation(size: 1))), at: ContainerList.path)
    let list = try ContainerPath("Documents/list.json")
    tree.modify(list) { $0.marks = .resourceValue }
    let comparison = try backup.comparison(with: tree)
    let record = FidelityRecord(comparison, of: try BackupFolder(at: backup.device), kit: "1.2.3")
    #expect(record.kit == "1.2.3")
    #expect(record.date == "2001-01-01")
    #expect(record.agreeing == comparison.agreeing)
    #expect(
      record.leftOut == ["own-mark": 1, "location": 5, "database-sibling": 1])
    #expect(record.disagreements.map(\.path) == ["Documents/list.json"])
    #expect(record.disagreements.first?.predicted == "out: own-mark")
    #expect(record.disagreements.first?.seen == "in")
    #expect(record.disagreements.first?.evidence == "documented")
    #expect(try JSONDecoder().decode(FidelityRecord.self, from: Data(record.json.utf8)) == record)
  }
}
