import BackupDevice
import Testing

@testable import BackupFileTree

/// A purge of only the files that patterns match.
@Suite struct PatternPurgeTests {
  @Test(arguments: SystemProfile.all)
  func `only matching files are purged, marked or not`(profile: SystemProfile) throws {
    let pressure = PurgeSimulator.Pressure.files([
      try PathPattern("Library/Caches/mark*"), try PathPattern("**/b"), try PathPattern("tmp/?"),
    ])
    let outcome = PurgeSimulator(profile: profile).purge(try .withItemsInAllPlaces(), pressure)
    #expect(
      outcome.taken.names == ["Library/Caches/deep/b", "Library/Caches/marked", "tmp/t"])
    #expect(try outcome.tree.has("Library/Caches/deep"))
  }

  @Test(
    arguments: [
      (["Library/Caches/deep/b"], ["Library/Caches/deep/b"]),
      (["Library/Caches/deep/*", "Library/Caches/deep/b"], ["Library/Caches/deep/b"]),
      (
        ["Library/Caches/marked", "tmp/t", "Library/Caches/none"],
        ["Library/Caches/marked", "tmp/t"]
      ),
      (["Library/Caches/m*"], ["Library/Caches/marked"]), (["tmp/none/*"], []),
    ])
  func `each pattern purges the files that it matches, with or without wildcards`(
    patterns: [String], taken: [String]
  ) throws {
    let patterns = try patterns.map { try PathPattern($0) }
    #expect(
      try FileTree.withItemsInAllPlaces().purged(by: "18", .files(patterns)).taken.names == taken)
  }

  @Test func `a directory that a purge does not change is shared with the former tree`() throws {
    let tree = try FileTree.withItemsInAllPlaces()
    let after = try tree.purged(by: "18", .files([try PathPattern("tmp/t")])).tree
    let library = try ContainerPath("Library")
    #expect(try #require(after[library]).sharesChildren(with: tree[library]))
    let temporary = try ContainerPath("tmp")
    #expect(try !#require(after[temporary]).sharesChildren(with: tree[temporary]))
  }

  @Test func `a directory that a pattern matches is kept`() throws {
    let outcome = try FileTree.withItemsInAllPlaces()
      .purged(by: "8", .files([try PathPattern("Library/Caches/deep")]))
    #expect(outcome.taken.isEmpty)
  }

  @Test func `patterns that match only files outside Caches and tmp purge nothing`() throws {
    let tree = try FileTree.withItemsInAllPlaces()
    let patterns = try ["Documents/**", "Library/data", "Own/**"].map { try PathPattern($0) }
    #expect(try tree.purged(by: "8", .files(patterns)).tree == tree)
  }

  @Test func `a pressure is described by its word or its patterns`() throws {
    let patterns = [try PathPattern("tmp/*"), try PathPattern("Library/Caches/**")]
    #expect(PurgeSimulator.Pressure.lowStorage.description == "lowStorage")
    #expect(PurgeSimulator.Pressure.criticalStorage.description == "criticalStorage")
    #expect(PurgeSimulator.Pressure.files(patterns).description == "tmp/*, Library/Caches/**")
  }
}
