import BackupDevice
import BackupFileTree
import Testing

/// A backup includes or leaves out an item because of its place.
@Suite struct LocationTests {
  @Test(arguments: ["Documents", "Library", "GeoJSON"])
  func `backups begin at the roots`(root: String) throws {
    let set = try FileTree.app.with(files: root + "/file").backedUp()
    #expect(try set.holds(root))
    #expect(try set.holds(root + "/file"))
  }

  @Test(arguments: [
    "Documents/Inbox", "Library/Cookies", "Library/WebKit", "Library/HTTPStorages",
    "Library/Preferences", "Library/Logs", "Library/Application Support",
  ])
  func `directories that iOS creates in the roots are in the backup`(directory: String) throws {
    let set = try FileTree.app.with(files: directory + "/deep/file").backedUp()
    #expect(try set.holds(directory))
    #expect(try set.holds(directory + "/deep/file"))
  }

  @Test(arguments: ["Library/Caches", "tmp"])
  func `the purgeable directories are left out with all their items`(place: String) throws {
    let set = try FileTree.app.with(files: place + "/deep/file").backedUp()
    let reason = BackupSet.LeftOutReason.location(try path(place))
    #expect(try set.reason(place) == reason)
    #expect(try set.reason(place + "/deep") == reason)
    #expect(try set.reason(place + "/deep/file") == reason)
  }

  @Test(arguments: [
    "Library/SyncedPreferences", "Library/Saved Application State", "Library/SplashBoard",
    "SystemData", "StoreKit", "CloudKit",
  ])
  func `items that iOS manages are left out with all their contents`(place: String) throws {
    let set = try FileTree.app.with(files: place + "/deep/file").backedUp()
    let reason = BackupSet.LeftOutReason.systemManaged(try path(place))
    #expect(try set.reason(place) == reason)
    #expect(try set.reason(place + "/deep/file") == reason)
  }

  @Test func `the container's metadata is left out`() throws {
    let name = ".com.apple.mobile_container_manager.metadata.plist"
    let set = try FileTree.app.with(files: name).backedUp()
    #expect(try set.reason(name) == .systemManaged(try path(name)))
  }

  @Test(arguments: ["5.0", "5.0.1", "5.1", "6", "7", "8"])
  func `up to iOS 8 everything is in, except the bundle, Caches and tmp`(version: String) throws {
    let tree = try FileTree.app.with(files: "Own/deep/file", "note", "tmp/t", "Library/Caches/c")
    let set = try tree.backedUp(by: version)
    #expect(try set.holds("Own/deep/file") && set.holds("note"))
    #expect(try set.reason("tmp/t") == .location(try path("tmp")))
    #expect(try set.reason("Library/Caches/c") == .location(try path("Library/Caches")))
  }

  @Test func `anything else at the container's top is outside the roots`() throws {
    let set = try FileTree.app.with(files: "Own/deep/file", "note").backedUp()
    #expect(try set.reason("Own") == .outsideRoots(try path("Own")))
    #expect(try set.reason("Own/deep/file") == .outsideRoots(try path("Own")))
    #expect(try set.reason("note") == .outsideRoots(try path("note")))
  }

  @Test(arguments: [
    "Documents/Caches/file", "Documents/tmp/file", "Documents/Library/Caches/file",
    "Library/tmp/file", "Library/Preferences/Caches/file", "Library/WebKit/SplashBoard/file",
    "Library/Application Support/Caches/file", "Documents/SystemData/file", "Library/Caches2/file",
    "Library/Caches.old/file", "GeoJSON/tmp/file", "Library/StoreKit/file",
  ])
  func `a directory with such a name in another place is in the backup`(file: String) throws {
    let set = try FileTree.app.with(files: file).backedUp()
    #expect(try set.holds(file))
    #expect(try path(file).ancestors.allSatisfy { set.contains($0) })
  }

  @Test(arguments: ["Library/caches/file", "Library/CACHES/file", "Library/splashboard/file"])
  func `a name in another case is another name`(file: String) throws {
    #expect(try FileTree.app.with(files: file).backedUp().holds(file))
  }

  @Test(arguments: ["documents", "DOCUMENTS", "Tmp", "library"])
  func `the name of a root in another case is no root`(top: String) throws {
    let set = try FileTree.app.with(files: top + "/file").backedUp()
    #expect(try set.reason(top + "/file") == .outsideRoots(try path(top)))
  }

  @Test func `a place added to a profile counts however deep it is`() throws {
    var profile = try #require(SystemProfile.newest)
    let place = try path("Library/Application Support/Vendor/Downloads")
    profile.backup.locations.append(SystemProfile.Sourced(place, .unverified))
    let tree = try FileTree.app.with(files: place.description + "/file")
    let set = BackupSimulator(profile: profile).backUp(tree)
    #expect(try set.reason(place.description + "/file") == .location(place))
    #expect(try set.holds("Library/Application Support/Vendor"))
  }
}
