import BackupDevice
import BackupFileTree
import Testing

/// From iOS 9 on, a purge deletes the contents of whole directories.
@Suite struct WholeDirectoryPurgeTests {
  /// The iOS versions that purge whole directories.
  static let versions = SystemProfile.all.filter { $0.purge.unit.value == .wholeDirectory }
    .map(\.version.description)

  @Test(arguments: versions)
  func `low storage empties Caches, marked files included`(version: String) throws {
    let outcome = try FileTree.withItemsInAllPlaces().purged(by: version, .lowStorage)
    #expect(try outcome.tree.item("Library/Caches")?.children.isEmpty == true)
    #expect(
      outcome.taken.names == [
        "Library/Caches/a", "Library/Caches/deep", "Library/Caches/legacy", "Library/Caches/m",
        "Library/Caches/marked",
      ])
  }

  @Test(arguments: versions)
  func `critical storage empties tmp too`(version: String) throws {
    let tree = try FileTree.withItemsInAllPlaces().purged(by: version, .criticalStorage).tree
    #expect(try tree.item("Library/Caches")?.children.isEmpty == true)
    #expect(try tree.item("tmp")?.children.isEmpty == true)
  }

  @Test(arguments: versions)
  func `a mark on Caches itself is lost`(version: String) throws {
    let tree = try FileTree.withItemsInAllPlaces()
      .with("Library/Caches", .emptyDirectory, marks: [.resourceValue, .extendedAttribute])
    #expect(try tree.item("Library/Caches")?.marks == [.resourceValue, .extendedAttribute])
    let after = try tree.purged(by: version, .lowStorage).tree
    #expect(try after.item("Library/Caches") == FileTree.Item(.emptyDirectory))
  }

  @Test func `a link in the place of Caches is purged and listed`() throws {
    let tree = try FileTree.app.without("Library/Caches").with("Library/Caches", .link)
    let outcome = try tree.purged(by: Self.versions[0], .lowStorage)
    #expect(try outcome.tree.item("Library/Caches") == FileTree.Item(.emptyDirectory))
    #expect(outcome.taken.names == ["Library/Caches"])
  }
}
