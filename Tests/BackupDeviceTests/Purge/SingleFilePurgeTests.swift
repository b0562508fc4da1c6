import BackupDevice
import BackupFileTree
import Testing

/// Before iOS 9, a purge deletes single files, and some versions spare marked files.
@Suite struct SingleFilePurgeTests {
  /// The iOS versions that spare files with the resource value.
  static let sparingVersions = ["5.1", "6", "7", "8"]

  @Test(arguments: sparingVersions)
  func `marked files and those in marked directories are spared`(version: String) throws {
    let outcome = try FileTree.withItemsInAllPlaces().purged(by: version, .lowStorage)
    #expect(
      outcome.taken.names == [
        "Library/Caches/a", "Library/Caches/deep/b", "Library/Caches/legacy",
      ])
    #expect(try outcome.tree.has("Library/Caches/m/c"))
    #expect(try outcome.tree.item("Library/Caches/marked")?.marks == .resourceValue)
  }

  @Test(arguments: sparingVersions)
  func `a mark on Caches itself spares all its items, and is kept`(version: String) throws {
    let tree = try FileTree.withItemsInAllPlaces()
      .with("Library/Caches", .emptyDirectory, marks: .resourceValue)
    let outcome = try tree.purged(by: version, .lowStorage)
    #expect(outcome.taken.isEmpty)
    #expect(outcome.tree == tree)
  }

  @Test(arguments: sparingVersions)
  func `critical storage spares marked files in tmp too`(version: String) throws {
    let outcome = try FileTree.withItemsInAllPlaces().purged(by: version, .criticalStorage)
    #expect(outcome.taken.names.last == "tmp/t")
    #expect(try outcome.tree.has("tmp/kept"))
  }

  @Test func `5.0.1 spares files with the extended attribute`() throws {
    let outcome = try FileTree.withItemsInAllPlaces().purged(by: "5.0.1", .lowStorage)
    #expect(
      outcome.taken.names == [
        "Library/Caches/a", "Library/Caches/deep/b", "Library/Caches/m/c", "Library/Caches/marked",
      ])
  }

  @Test func `5.0 spares nothing`() throws {
    let tree = try FileTree.withItemsInAllPlaces().purged(by: "5.0", .criticalStorage).tree
    let remaining = tree.paths.filter { $0.location?.isPurgeable == true }.map(\.description)
    #expect(
      remaining == ["Library/Caches", "Library/Caches/deep", "Library/Caches/m", "tmp"])
  }

  @Test(arguments: ["5.0", "5.0.1", "5.1", "8"])
  func `directories are kept, and links and special files are purged`(version: String) throws {
    let tree = try FileTree.app.with("Library/Caches/d/link", .link)
      .with("Library/Caches/socket", .special).with("Library/Caches/empty", .emptyDirectory)
    let outcome = try tree.purged(by: version, .lowStorage)
    #expect(outcome.taken.names == ["Library/Caches/d/link", "Library/Caches/socket"])
    #expect(try outcome.tree.has("Library/Caches/d") && outcome.tree.has("Library/Caches/empty"))
  }
}
