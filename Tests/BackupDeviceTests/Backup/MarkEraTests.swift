import BackupDevice
import BackupFileTree
import Testing

/// The marks that each iOS version honours.
@Suite struct MarkEraTests {
  /// Returns a tree with a file for each mark, and a file with both marks.
  static func makeTree() throws -> FileTree {
    try FileTree.app.with("Documents/both", marks: [.resourceValue, .extendedAttribute])
      .with("Documents/legacy", marks: .extendedAttribute)
      .with("Documents/modern", marks: .resourceValue)
  }

  @Test func `5.0 backs up all marked files`() throws {
    let set = try Self.makeTree().backedUp(by: "5.0")
    for file in ["Documents/both", "Documents/legacy", "Documents/modern"] {
      #expect(try set.holds(file))
    }
  }

  @Test func `5.0.1 honours the attribute alone`() throws {
    let set = try Self.makeTree().backedUp(by: "5.0.1")
    #expect(try set.reason("Documents/legacy") == .ownMark(.extendedAttribute))
    #expect(try set.reason("Documents/both") == .ownMark(.extendedAttribute))
    #expect(try set.holds("Documents/modern"))
  }

  @Test(arguments: EraTests.from5_1)
  func `from 5.1 on the resource value alone is honoured`(profile: SystemProfile) throws {
    let set = BackupSimulator(profile: profile).backUp(try Self.makeTree())
    #expect(try set.holds("Documents/legacy"))
    #expect(try set.reason("Documents/both") == .ownMark(.resourceValue))
    #expect(try set.reason("Documents/modern") == .ownMark(.resourceValue))
  }

  @Test func `an attribute set under 5.0 counts once the device has 5.0.1`() throws {
    let tree = try FileTree.app.with("Documents/x", marks: .extendedAttribute)
    #expect(try tree.backedUp(by: "5.0").holds("Documents/x"))
    #expect(try !tree.backedUp(by: "5.0.1").holds("Documents/x"))
  }

  @Test func `5.0 leaves out the purgeable directories too`() throws {
    let set = try FileTree.app.with(files: "Library/Caches/a", "tmp/b").backedUp(by: "5.0")
    #expect(try !set.holds("Library/Caches/a") && !set.holds("tmp/b"))
  }

  @Test
  func `if marks are ignored, marked items are in the backup, and the verdict names the mark`()
    throws
  {
    var profile = try #require(SystemProfile.newest)
    profile.guidance = .ignored
    let tree = try Self.makeTree().with("Library/m/inside")
      .with("Library/m", .emptyDirectory, marks: .resourceValue)
    let set = BackupSimulator(profile: profile).backUp(tree)
    let expectedMarks: [String: ExclusionMark] = [
      "Documents/both": .resourceValue, "Documents/legacy": [],
      "Documents/modern": .resourceValue, "Library/m": .resourceValue, "Library/m/inside": [],
    ]
    for (item, mark) in expectedMarks {
      #expect(set.decision(on: try path(item))?.verdict == .included(despite: mark), "\(item)")
    }
  }

  @Test func `ignored guidance changes nothing about places`() throws {
    var profile = try #require(SystemProfile.newest)
    profile.guidance = .ignored
    let set = BackupSimulator(profile: profile).backUp(try FileTree.app.with("tmp/x"))
    #expect(try set.reason("tmp/x") == .location(try path("tmp")))
  }

  @Test func `the verdict of an unmarked item names no mark`() throws {
    let set = try FileTree.app.with("Documents/x").backedUp()
    #expect(set.decision(on: try path("Documents/x"))?.verdict == .included(despite: []))
  }
}
