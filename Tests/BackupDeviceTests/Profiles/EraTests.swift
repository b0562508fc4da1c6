import BackupDevice
import BackupFileTree
import Testing

/// The marks, the purges and the layout of each iOS version.
@Suite struct EraTests {
  /// The profiles from iOS 5.1 on.
  static let from5_1 = Array(SystemProfile.all.dropFirst(2))

  @Test func `5.0 honours no mark and stores the attribute`() throws {
    let profile = try #require(SystemProfile(version: "5.0"))
    #expect(profile.honouredMarks.value == [])
    #expect(profile.availableMarks.value == .extendedAttribute)
    #expect(profile.deprecatedMarks.value == [])
  }

  @Test func `5.0.1 honours the attribute, which is not deprecated yet`() throws {
    let profile = try #require(SystemProfile(version: "5.0.1"))
    #expect(profile.honouredMarks.value == .extendedAttribute)
    #expect(profile.availableMarks.value == .extendedAttribute)
    #expect(profile.deprecatedMarks.value == [])
  }

  @Test(arguments: from5_1)
  func `from 5.1 on the resource value counts and the attribute is deprecated`(
    profile: SystemProfile
  ) {
    #expect(profile.honouredMarks.value == .resourceValue)
    #expect(profile.availableMarks.value == [.resourceValue, .extendedAttribute])
    #expect(profile.deprecatedMarks.value == .extendedAttribute)
  }

  @Test(arguments: SystemProfile.all)
  func `before 9 single files are purged, and from 5.0.1 to 8 marked ones spared`(
    profile: SystemProfile
  ) throws {
    let isOld = profile.version < (try #require(SystemVersion("9")))
    #expect(profile.purge.unit.value == (isOld ? .singleFiles : .wholeDirectory))
    let firstSparing = try #require(SystemVersion("5.0.1"))
    #expect(profile.purge.sparesMarked.value == (isOld && profile.version >= firstSparing))
  }

  @Test(arguments: SystemProfile.all)
  func `no system honours a mark that it does not have`(profile: SystemProfile) {
    #expect(profile.availableMarks.value.isSuperset(of: profile.honouredMarks.value))
    #expect(profile.effectiveMarks == profile.honouredMarks.value)
  }

  @Test(arguments: SystemProfile.all)
  func `ignored guidance leaves no mark in effect`(profile: SystemProfile) {
    var profile = profile
    profile.guidance = .ignored
    #expect(profile.effectiveMarks == [])
  }

  @Test(arguments: SystemProfile.all)
  func `the bundle is in the container before 8 only`(profile: SystemProfile) throws {
    let isOld = profile.version < (try #require(SystemVersion("8")))
    #expect(profile.bundleIsInContainer.value == isOld)
    let names = profile.layout(bundleIdentifier: "com.example.Game").tree.names
    #expect(names.contains("Game.app") == isOld)
    #expect(names.filter { $0 != "Game.app" } == FileTree.app.names)
  }

  @Test(arguments: ["", ".", "...", "/", "a/b", "../..", "\u{0}", "no-dots", "\u{202E}"])
  func `an odd bundle identifier still gives a layout inside the container`(
    identifier: String
  ) throws {
    let profile = try #require(SystemProfile(version: "7"))
    let tops = profile.layout(bundleIdentifier: identifier).tree.children.entries.map(\.name.string)
    #expect(tops.filter { !$0.hasSuffix(".app") } == ["Documents", "Library", "tmp"])
    #expect(tops.count <= 4)
  }
}
