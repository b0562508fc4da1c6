import BackupDevice
import BackupFileTree
import Testing

/// The app's bundle, which old systems keep in the container.
@Suite struct BundleTests {
  @Test(arguments: ["5.0", "5.0.1", "5.1", "6", "7"])
  func `before iOS 8 the bundle in the container is left out as a bundle`(version: String) throws {
    let set = try FileTree.app.with(files: "Game.app/Info.plist").backedUp(by: version)
    let bundle = try path("Game.app")
    #expect(try set.reason("Game.app") == .bundle(bundle))
    #expect(try set.reason("Game.app/Info.plist") == .bundle(bundle))
  }

  @Test(arguments: SystemProfile.all.filter { !$0.bundleIsInContainer.value })
  func `from iOS 8 on a directory named like a bundle is treated like other directories`(
    profile: SystemProfile
  ) throws {
    let set = try FileTree.app.with(files: "Game.app/file")
      .backedUp(by: profile.version.description)
    if profile.backup.roots.value == nil {
      #expect(try set.holds("Game.app/file"))
    } else {
      #expect(try set.reason("Game.app/file") == .outsideRoots(try path("Game.app")))
    }
  }

  @Test(arguments: SystemProfile.all.map(\.version.description))
  func `a directory named like a bundle inside Documents is in`(version: String) throws {
    let set = try FileTree.app.with(files: "Documents/Game.app/file").backedUp(by: version)
    #expect(try set.holds("Documents/Game.app/file"))
  }
}
