internal import BackupFileTree

extension SystemProfile {
  /// Every preset, the oldest first.
  public static let all: [SystemProfile] = [
    .iOS5_0, .iOS5_0_1, .iOS5_1,
    .before8("6"), .before8("7"), .before9("8"),
    .current("9"), .current("10"), .current("11"), .current("12"), .current("13"), .current("14"),
    .current("15"), .current("16"), .current("17"), .current("18"), .current("26"),
  ].compactMap(\.self)

  /// The newest preset.
  public static var newest: SystemProfile? { all.last }

  /// The preset of a version, or nil where there is none.
  ///
  /// - Parameter version: As in ``SystemVersion/init(_:)``: `"5.0.1"`, `"26"`.
  public init?(version: String) {
    guard let version = SystemVersion(version),
      let profile = Self.all.first(where: { $0.version == version })
    else { return nil }
    self = profile
  }

  /// iOS 9 and later: marks by resource value, purge of whole directories.
  private static func current(_ version: String) -> SystemProfile? {
    guard let version = SystemVersion(version) else { return nil }
    let observed = evidence(for: version, seenFrom: "14")
    return SystemProfile(
      version: version,
      honouredMarks: Sourced(.resourceValue, .documented, .appleResourceValue, .appleQA1719),
      availableMarks: Sourced([.resourceValue, .extendedAttribute], .documented, .appleQA1719),
      deprecatedMarks: Sourced(.extendedAttribute, .documented, .appleQA1719),
      backup: .appContainer(observed),
      groupBackup: .groupContainer(observed),
      purge: .wholeDirectories(evidence(for: version, seenFrom: "18")),
      update: .standard(observed),
      bundleIsInContainer: Sourced(false, observed, .observed))
  }

  /// How sure of a version is what was seen in those from `first` on.
  private static func evidence(for version: SystemVersion, seenFrom first: String) -> Evidence {
    SystemVersion(first).map { version >= $0 } == true ? .observed : .unverified
  }

  /// iOS 8: single files are purged, marked ones are spared.
  private static func before9(_ version: String) -> SystemProfile? {
    guard var profile = current(version) else { return nil }
    profile.purge = .singleFiles(sparesMarked: true)
    return profile
  }

  /// iOS 6 and 7: the bundle is in the container too.
  private static func before8(_ version: String) -> SystemProfile? {
    guard var profile = before9(version) else { return nil }
    profile.bundleIsInContainer = Sourced(true, .documented, .appleFSPG)
    return profile
  }

  /// iOS 5.1: the first with the resource value.
  private static var iOS5_1: SystemProfile? { before8("5.1") }

  /// iOS 5.0.1: the extended attribute is the mark.
  private static var iOS5_0_1: SystemProfile? {
    guard var profile = before8("5.0.1") else { return nil }
    profile.honouredMarks = Sourced(.extendedAttribute, .documented, .appleQA1719)
    profile.availableMarks = Sourced(.extendedAttribute, .documented, .appleQA1719)
    profile.deprecatedMarks = Sourced([], .documented, .appleQA1719)
    return profile
  }

  /// iOS 5.0: no mark at all; an attribute can be stored and counts once the system is updated.
  private static var iOS5_0: SystemProfile? {
    guard var profile = before8("5.0") else { return nil }
    profile.honouredMarks = Sourced([], .documented, .appleQA1719)
    profile.availableMarks = Sourced(.extendedAttribute, .documented, .appleGuidelines2011)
    profile.deprecatedMarks = Sourced([], .documented, .appleQA1719)
    profile.purge = .singleFiles(sparesMarked: false)
    return profile
  }
}
