import BackupDiagnostics
import Testing
import TreeSupport

@testable import BackupFileTree

/// The texts that are valid paths in a container.
@Suite struct ContainerPathTests {
  @Test(arguments: [
    ("", "is empty"), ("/", "is absolute"), ("/etc/passwd", "is absolute"),
    ("..", "component '..'"), ("../x", "component '..'"), ("Documents/..", "component '..'"),
    ("Documents/../../x", "component '..'"), (".", "component '.'"), ("a/./b", "component '.'"),
    ("a//b", "empty component"), ("a//", "empty component"), ("a\0b", "NUL"),
  ])
  func `a path that could lead outside is refused with a reason`(
    text: String, reason: String
  ) throws {
    let error = try #require(throws: RunError.self) { try ContainerPath(text) }
    #expect(error.description.contains(reason), "\(error)")
    #expect(error.description.hasPrefix("'"))
  }

  @Test(arguments: ["...", "..a", ".hidden", " ", "~", "a b", "a\\b", "C:", "a\nb", "😀", "-rf"])
  func `names that only look odd are accepted as they are`(text: String) throws {
    let path = try ContainerPath("Documents/" + text)
    #expect(path.name.bytes == Array(text.utf8))
    #expect(path.parent == "Documents")
  }

  @Test func `one trailing slash is allowed and dropped`() throws {
    #expect(try ContainerPath(bytes: Array("Documents/".utf8)) == "Documents")
  }

  @Test func `a path may have 1024 bytes and no more`() throws {
    let longestText =
      String(repeating: String(repeating: "n", count: 31) + "/", count: 31)
      + String(repeating: "n", count: 32)
    #expect(try ContainerPath(longestText).bytes.count == ContainerPath.longestPath)
    #expect(throws: RunError.self) { try ContainerPath(longestText + "i") }
  }

  @Test func `a name may have 255 bytes and no more`() throws {
    let longest = String(repeating: "n", count: 255)
    #expect(try ContainerPath("tmp/" + longest).name.bytes.count == 255)
    #expect(throws: RunError.self) { try ContainerPath("tmp/n" + longest) }
    #expect(throws: RunError.self) {
      try ContainerPath(String(repeating: "é", count: 128))
    }
  }

  @Test func `composed and decomposed letters are two names`() throws {
    let composed = "Documents/\u{E9}"
    let decomposed = "Documents/e\u{301}"
    #expect(composed == decomposed)
    #expect(try ContainerPath(composed) != ContainerPath(decomposed))
    #expect(try Set([ContainerPath(composed), ContainerPath(decomposed)]).count == 2)
  }

  @Test func `bytes that are not UTF-8 are kept`() throws {
    let path = try ContainerPath(bytes: Array("tmp/".utf8) + [0xFF, 0xC3])
    #expect(path.name.bytes == [0xFF, 0xC3])
    #expect(path.description == "tmp/\\xFF\\xC3")
    #expect(path.string == "tmp/\u{FFFD}\u{FFFD}")
  }

  @Test func `equal names in different paths are equal`() {
    let nameAlone = ("b.db" as ContainerPath).name
    let path: ContainerPath = "b.d/b.db/b.dbx"
    #expect(path.components.map(\.string) == ["b.d", "b.db", "b.dbx"])
    #expect(path.components[1] == nameAlone)
    #expect(Set(path.components + [nameAlone]).count == 3)
    #expect(path.components == path.components.shuffled().sorted())
  }

  @Test func `prefixes, suffixes and inner texts are searched in the name alone`() {
    let name = ("ab/cd.x/ef" as ContainerPath).components[1]
    #expect(name.hasPrefix("cd") && name.hasSuffix(".x") && name.has("d.", at: 1))
    #expect(name.hasPrefix("cd.x") && name.hasSuffix("cd.x") && name.hasSuffix(""))
    #expect(!name.hasPrefix("ab") && !name.hasPrefix("cd.x/") && !name.hasSuffix("/cd.x"))
    #expect(!name.has("cd", at: -3) && !name.has("ef", at: 5) && !name.has("x", at: 4))
  }

  @Test func `paths sort by their bytes`() {
    let sorted: [ContainerPath] = ["B", "a", "a b", "a-b", "a/b", "ab", "z", "é", "\u{FF5E}", "😀"]
    #expect(sorted.reversed().sorted() == sorted)
    #expect(!("a" < ("a" as ContainerPath)))
  }

  @Test func `a path knows its ancestors and its descendants`() {
    let path: ContainerPath = "Library/Caches/a/b"
    #expect(path.ancestors == ["Library", "Library/Caches", "Library/Caches/a"])
    #expect(path.components.map(\.string) == ["Library", "Caches", "a", "b"])
    #expect(("Library/Caches" as ContainerPath).isAncestor(of: path))
    #expect(!("Library/Cache" as ContainerPath).isAncestor(of: path))
    #expect(!path.isAncestor(of: path))
    #expect(path.covers(path))
    #expect(("tmp" as ContainerPath).parent == nil)
  }

  @Test func `the name of a database is known from the files beside it`() {
    let names = ["a.db-wal", "a.db-shm", "a.db-journal"].map { ContainerPath(stringLiteral: $0) }
    for name in names { #expect(name.name.databaseName?.string == "a.db") }
    #expect(("a.db" as ContainerPath).name.databaseName == nil)
    #expect(("-wal" as ContainerPath).name.databaseName == nil)
  }
}
