import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios

extension ClassAdvice {
  static func recommendations(on dataClass: DataClass, from oldest: SystemVersion)
    -> [Recommendation]
  {
    switch dataClass {
    case .critical: critical
    case .support, .offline: lasting(dataClass, from: oldest)
    case .cached: cached
    case .temporary: temporary
    case .secret: secret
    }
  }

  private static let critical = [
    Recommendation(
      topic: .place,
      text: "Documents, where the user may see it; by Apple's other guide Library/Application "
        + "Support too, where not",
      sources: [.appleGuidelines2011, .appleFSPG]),
    Recommendation(
      topic: .mark, text: "never, nor a directory above it: a restore would lose it",
      sources: [.appleResourceValue, .eidinger]),
    Recommendation(
      topic: .check,
      text: "that the directory is there before a save: a new container has no Library/Application "
        + "Support",
      sources: [.eidinger]),
    Recommendation(topic: .delete, text: "when the user does, and only then", sources: []),
  ]

  private static let cached = [
    Recommendation(
      topic: .place, text: "Library/Caches", sources: [.appleOptimizing, .appleGuidelines2011]),
    Recommendation(
      topic: .mark, text: "none: no backup holds what is there", sources: [.appleOptimizing]),
    Recommendation(
      topic: .check,
      text: "that file and directory are there, before each use: the system may empty it whenever "
        + "the app does not run",
      sources: [.appleFileSystem, .appleOptimizing]),
    Recommendation(
      topic: .delete,
      text: "as soon as it has served; the system may never do it, and a scenario's 'storage' says "
        + "how much may stay",
      sources: [.appleOptimizing]),
  ]

  private static let temporary = [
    Recommendation(topic: .place, text: "tmp", sources: [.appleGuidelines2011, .appleOptimizing]),
    Recommendation(
      topic: .mark, text: "none: no backup holds what is there", sources: [.appleOptimizing]),
    Recommendation(
      topic: .check, text: "that it is there, once the app has ended in between",
      sources: [.appleFileSystem, .appleOptimizing]),
    Recommendation(
      topic: .delete, text: "when the task is done, in success and failure",
      sources: [.appleGuidelines2011]),
  ]

  /// On what must not leave the device.
  private static let secret = [
    Recommendation(
      topic: .place,
      text: "the keychain, for this device only; no file, or for a while one where nothing is "
        + "backed up",
      sources: [.eidinger, .appleKeychain]),
    Recommendation(
      topic: .mark, text: "none that helps: a mark is guidance, no means of secrecy",
      sources: [.appleOptimizing, .eidinger]),
    Recommendation(
      topic: .check,
      text: "that it is there, and ask the user again where not: a new device has none",
      sources: [.appleKeychain]),
    Recommendation(topic: .delete, text: "when the user signs out", sources: []),
  ]

  /// On what can be fetched again and must last.
  private static func lasting(
    _ dataClass: DataClass, from oldest: SystemVersion
  ) -> [Recommendation] {
    [
      Recommendation(
        topic: .place,
        text: inWords(from: oldest) { profile in
          dataClass.place(on: profile).map { "\($0.path)" } ?? ""
        } + (dataClass == .offline ? "; Documents too, where it is marked" : ""),
        sources: hasUnmarkedSystem(from: oldest)
          ? [.appleQA1719, .appleOptimizing, .appleGuidelines2011]
          : [.appleOptimizing, .appleGuidelines2011]),
      Recommendation(
        topic: .mark,
        text: "after each save, or once on a directory of its own whenever that is made: "
          + inWords(from: oldest) { dataClass.mark(on: $0).interface } + renewal(from: oldest),
        sources: [.appleOptimizing, .appleQA1719]),
      check(from: oldest),
      Recommendation(
        topic: .delete,
        text: dataClass == .offline
          ? "when the user has done with it; it stays for good otherwise, and a scenario's 'storage' "
            + "says how much may"
          : "when a newer one has taken its place",
        sources: [.appleGuidelines2011]),
    ]
  }

  /// What to check of data that can be fetched again.
  private static func check(from oldest: SystemVersion) -> Recommendation {
    let purged = hasUnmarkedSystem(from: oldest) ? ", or a purge under iOS 5.0" : ""
    return Recommendation(
      topic: .check,
      text: "that it is there before each use, and fetch it again where a restore or an update has "
        + "left it out" + purged,
      sources: hasUnmarkedSystem(from: oldest)
        ? [.appleOptimizing, .ios5BackupPost, .appleQA1719] : [.appleOptimizing, .ios5BackupPost])
  }

  /// What to do about marks that a later system does not honor; empty without such marks.
  private static func renewal(from oldest: SystemVersion) -> String {
    let profiles = SystemProfile.all.filter { $0.version >= oldest }
    let former = profiles.reduce(into: ExclusionMark()) { $0.formUnion($1.markToSet) }
    let later = profiles.first { !former.isDisjoint(with: $0.deprecatedMarks.value) }
    return later.map { "; at the first launch under \($0.version) or later once more" } ?? ""
  }

  /// Whether the app runs under a system that honours no mark.
  private static func hasUnmarkedSystem(from oldest: SystemVersion) -> Bool {
    SystemProfile.all.contains { $0.version >= oldest && $0.honouredMarks.value.isEmpty }
  }
}

extension ExclusionMark {
  /// How the mark is set.
  fileprivate var interface: String {
    contains(.resourceValue)
      ? "URLResourceValues.isExcludedFromBackup"
      : "setxattr of com.apple.MobileBackup, one byte of value 1"
  }
}
