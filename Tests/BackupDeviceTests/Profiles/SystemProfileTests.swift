import BackupDevice
import BackupDiagnostics
import Testing

/// The profiles of all known iOS versions, and the evidence in them.
@Suite struct SystemProfileTests {
  @Test func `the profiles have each version once, from 5.0 on, oldest first`() {
    let versions = SystemProfile.all.map(\.version)
    #expect(versions.prefix(3).map(\.description) == ["5.0", "5.0.1", "5.1"])
    #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `the newest preset is the last`() {
    #expect(SystemProfile.newest != nil && SystemProfile.newest == SystemProfile.all.last)
  }

  @Test(arguments: SystemProfile.all)
  func `every preset is found by its version`(profile: SystemProfile) {
    #expect(SystemProfile(version: profile.version.description) == profile)
  }

  @Test func `5 and 5.0 find the same preset`() {
    #expect(SystemProfile(version: "5") == SystemProfile(version: "5.0"))
    #expect(SystemProfile(version: "5") != nil)
  }

  @Test(arguments: ["4.3", "5.0.2", "18.1", "19", "1000", "", "new", "iOS 18"])
  func `a version without a preset is nil, never the nearest`(version: String) {
    #expect(SystemProfile(version: version) == nil)
  }

  @Test(arguments: [
    ("17.4", "write '17', which stands for every iOS 17"), ("iOS 18", "write '18'"),
    ("19", "Apple went from iOS 18 to iOS 26: write one of them"),
    ("5.2", "the nearest are '5.1' and '6'"), ("4.3", "the oldest that the kit knows is '5.0'"),
    ("newset", "did you mean 'newest'?"),
  ])
  func `the error on a version without a preset says what to write`(
    version: String, advice: String
  ) throws {
    let error = #expect(throws: RunError.self) { try SystemProfile.named(version) }
    #expect(error?.code == .unknownSystem)
    #expect(
      error?.description.hasPrefix("unknown version of iOS '\(version)'; \(advice) (known") == true)
    let known = try SystemProfile.named("18")
    #expect(known == SystemProfile(version: "18"))
  }

  @Test(arguments: SystemProfile.all)
  func `every entry names a source unless it is unverified`(profile: SystemProfile) {
    #expect(profile.grounds.contains { $0.evidence != .unverified })
    for grounds in profile.grounds where grounds.evidence != .unverified {
      #expect(!grounds.sources.isEmpty, "iOS \(profile.version), \(grounds)")
    }
  }

  @Test(arguments: SystemProfile.all)
  func `a documented entry cites a source other than observation`(profile: SystemProfile) {
    for grounds in profile.grounds where grounds.evidence == .documented {
      #expect(grounds.sources.contains { $0 != .observed }, "\(profile.version), \(grounds)")
    }
  }

  @Test(arguments: SystemProfile.all)
  func `the contents of backups are observed from 14 on, and unverified before`(
    profile: SystemProfile
  ) throws {
    let first = try #require(SystemVersion("14"))
    let expected: SystemProfile.Evidence = profile.version < first ? .unverified : .observed
    let isLimited = profile.backup.roots.value != nil
    #expect(profile.backup.roots.evidence == (isLimited ? expected : .documented))
    #expect(isLimited == (profile.version >= (try #require(SystemVersion("9")))))
    #expect(profile.groupBackup.roots.evidence == expected)
    #expect(profile.groupBackup.locations.map(\.evidence) == [expected])
    #expect(profile.update.neverRestored.evidence == expected)
  }

  @Test(arguments: SystemProfile.all)
  func `a purge of tmp at critical storage is observed from 18 to 26, and else unverified`(
    profile: SystemProfile
  ) throws {
    let observedVersions = try #require(SystemVersion("18"))...(try #require(SystemVersion("26")))
    let expected: SystemProfile.Evidence =
      observedVersions.contains(profile.version) ? .observed : .unverified
    #expect(profile.purge.criticalStorage.evidence == expected)
  }

  @Test(arguments: SystemProfile.all)
  func `the purge of whole directories is documented from 9 on`(profile: SystemProfile) throws {
    let first = try #require(SystemVersion("9"))
    let unit = profile.purge.unit
    #expect(unit.value == (profile.version < first ? .singleFiles : .wholeDirectory))
    #expect(unit.evidence == (profile.version < first ? .unverified : .documented))
  }

  @Test(arguments: SystemProfile.all)
  func `no entry is observed in a version older than 14`(
    profile: SystemProfile
  ) throws {
    guard profile.version < (try #require(SystemVersion("14"))) else { return }
    for grounds in profile.grounds {
      #expect(grounds.evidence != .observed, "iOS \(profile.version), \(grounds)")
    }
  }

  @Test(arguments: SystemProfile.Source.allCases)
  func `every source has a title, and an address unless it cannot be read`(
    source: SystemProfile.Source
  ) {
    let unreadableSources: [SystemProfile.Source] = [
      .observed, .deviceLog501, .ios5BackupPost, .appReview223, .appleOffload,
    ]
    #expect(!source.title.isEmpty)
    #expect(
      source.address?.hasPrefix("https://") == (unreadableSources.contains(source) ? nil : true))
    #expect(SystemProfile.Source(rawValue: source.key) == source)
  }
}
