import Testing
import TreeSupport

@testable import BackupFileTree

/// The standard locations, and the directories of a new container.
@Suite struct LocationTests {
  @Test(
    arguments: [
      ("Documents", .documents), ("Documents/a/b", .documents), ("Documentsx", nil), ("a", nil),
      ("documents", nil), ("Library/x", .library), ("Library/Caches", .caches),
      ("Library/Caches/x", .caches), ("Library/Cachesx", .library), ("tmp/x", .temporary),
      ("Library/Application Support/x", .applicationSupport),
      ("Library/Preferences/x.plist", .preferences),
    ] as [(ContainerPath, ContainerPath.StandardLocation?)])
  func `a path is in its innermost location`(
    path: ContainerPath, location: ContainerPath.StandardLocation?
  ) {
    #expect(path.location == location)
  }

  @Test func `only the path of a location is the location itself`() {
    #expect(("Library/Caches" as ContainerPath).ownLocation == .caches)
    #expect(("Library/Caches/x" as ContainerPath).ownLocation == nil)
  }

  @Test func `only Caches and tmp are purgeable`() {
    #expect(ContainerPath.StandardLocation.allCases.filter(\.isPurgeable) == [.caches, .temporary])
  }

  @Test func `a newly installed app has no Application Support`() {
    let tree = FileTree.Layout.newlyInstalled.tree
    #expect(
      tree.paths == ["Documents", "Library", "Library/Caches", "Library/Preferences", "tmp"])
  }

  @Test func `a layout creates the parents of its directories`() {
    let layout = FileTree.Layout(directories: ["Documents/a/b", "Documents", "tmp"])
    #expect(layout.tree.paths == ["Documents", "Documents/a", "Documents/a/b", "tmp"])
  }
}
