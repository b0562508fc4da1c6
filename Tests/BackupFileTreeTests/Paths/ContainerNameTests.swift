import Testing
import TreeSupport

@testable import BackupFileTree

@Suite struct `Paths in containers beside the app's` {
  @Test(arguments: [
    ("group.x:/a/b", "group.x:", "a/b"),
    (
      "com.example.app.widget:/Documents/a",
      "com.example.app.widget:", "Documents/a"
    ), ("group.a_b-1:/a", "group.a_b-1:", "a"),
  ])
  func `have the container's name and a path in it`(
    text: String, name: String, inner: String
  ) throws {
    let path = try ContainerPath(text)
    #expect(path.containerName?.string == name && !path.isContainer)
    let expected: ContainerPath = try ContainerPath(inner)
    #expect(path.pathWithoutContainerName == expected)
    #expect(ContainerPath(expected, inContainer: path.containerName) == path)
  }

  @Test func `have no inner path if they are the container itself`() {
    let path: ContainerPath = "group.x:"
    #expect(path.isContainer && path.pathWithoutContainerName == nil && path.location == nil)
  }

  @Test(arguments: [
    "Documents/group.x:/a", "notes:/a", "group.x/a", ":/a", ".:/a", "group.:/a", "a b.c:/a",
    "é.x:/a",
  ])
  func `need a valid container's name at the beginning`(text: String) throws {
    let path = try ContainerPath(text)
    #expect(path.containerName == nil && path.pathWithoutContainerName == path)
  }

  @Test func `standard places are those of the container's kind`() throws {
    func location(_ text: String) throws -> ContainerPath.StandardLocation? {
      try ContainerPath(text).location
    }
    #expect(try location("com.x.w:/Documents/a") == .documents)
    #expect(try location("com.x.w:/tmp/a") == .temporary)
    #expect(try location("group.x:/Library/Caches/a") == .caches)
    #expect(try location("group.x:/Documents/a") == nil)
    #expect(try location("group.x:/tmp/a") == nil)
    let caches: ContainerPath = "group.x:/Library/Caches"
    #expect(caches.ownLocation == .caches)
  }

  @Test(arguments: ["**", "*/a", "*", "**/a", "?roup.x/a"])
  func `a pattern without a container's name matches none of them`(text: String) throws {
    let pattern = try PathPattern(text)
    let paths = try ["group.x:", "group.x:/a", "com.x.w:/a"].map { try ContainerPath($0) }
    #expect(!paths.contains(where: pattern.matches))
    #expect(!paths.contains(where: pattern.matchesInside))
    #expect(paths.allSatisfy { PatternIndex([pattern]).firstIndex(matching: $0) == nil })
    #expect(!pattern.surelyCovers(try PathPattern("group.x:/**")))
  }

  @Test(arguments: [
    ("group.x:/**", ["group.x:", "group.x:/a", "group.x:/a/b"]),
    ("*:/*", ["group.x:/a", "com.x.w:/a"]),
    ("group.*:/**", ["group.x:", "group.x:/a", "group.x:/a/b"]), ("com.x.w:/a", ["com.x.w:/a"]),
  ])
  func `a pattern with a container's name matches only in the containers that it names`(
    text: String, matches: [String]
  ) throws {
    let pattern = try PathPattern(text)
    let paths = try ["a", "group.x", "group.x:", "group.x:/a", "group.x:/a/b", "com.x.w:/a"]
      .map { (text: String) in try ContainerPath(text) }
    #expect(paths.filter(pattern.matches).map(\.description) == matches)
  }

  @Test func `the places that a purge or an update may empty depend on the container's kind`()
    throws
  {
    func patterns(_ texts: String...) throws -> [PathPattern] {
      try texts.map { try PathPattern($0) }
    }
    let purgeable = try patterns("group.x:/Library/Caches/**", "com.x.w:/tmp/*")
    #expect(purgeable.allSatisfy { $0.isPurgeable })
    let unpurged = try patterns("group.x:/tmp/*", "group.x:/**", "*:/tmp/*", "com.x.w:/Documents/*")
    #expect(!unpurged.contains { $0.isPurgeable })
    let losable = try patterns("com.x.w:/tmp/*", "com.x.w:/Library/Caches/a")
    #expect(losable.allSatisfy { $0.canBeLostInUpdate })
    let notLosable = try patterns("group.x:/a", "com.x.w:/Documents/*", "group.x:/Library/Caches/*")
    #expect(!notLosable.contains { $0.canBeLostInUpdate })
  }
}
