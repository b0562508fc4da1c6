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
      text:
        "Documents, if the user may see it; if not, Apple's other guide also allows "
        + "Library/Application Support",
      sources: [.appleGuidelines2011, .appleFSPG]),
    Recommendation(
      topic: .mark, text: "never, nor a directory above it: a restore would lose it",
      sources: [.appleResourceValue, .eidinger]),
    Recommendation(
      topic: .check,
      text:
        "that the directory exists before a save: a new container has no Library/Application "
        + "Support",
      sources: [.eidinger]),
    Recommendation(topic: .delete, text: "when the user deletes it, and only then", sources: []),
  ]

  private static let cached = [
    Recommendation(
      topic: .place, text: "Library/Caches", sources: [.appleOptimizing, .appleGuidelines2011]),
    Recommendation(
      topic: .mark, text: "none: items there are never backed up", sources: [.appleOptimizing]),
    Recommendation(
      topic: .check,
      text:
        "that the file and its directory exist, before each use: the system may empty it "
        + "whenever the app is not running",
      sources: [.appleFileSystem, .appleOptimizing]),
    Recommendation(
      topic: .delete,
      text:
        "as soon as it is no longer needed; the system may never delete it, and a scenario's "
        + "'storage' limits how much may stay",
      sources: [.appleOptimizing]),
  ]

  private static let temporary = [
    Recommendation(topic: .place, text: "tmp", sources: [.appleGuidelines2011, .appleOptimizing]),
    Recommendation(
      topic: .mark, text: "none: items there are never backed up", sources: [.appleOptimizing]),
    Recommendation(
      topic: .check, text: "that it exists, if the app has ended in between",
      sources: [.appleFileSystem, .appleOptimizing]),
    Recommendation(
      topic: .delete, text: "when the task is done, in success and failure",
      sources: [.appleGuidelines2011]),
  ]

  /// On what must not leave the device.
  private static let secret = [
    Recommendation(
      topic: .place,
      text:
        "the keychain, for this device only; not a file, except for a short time in a place "
        + "that is never backed up",
      sources: [.eidinger, .appleKeychain]),
    Recommendation(
      topic: .mark, text: "none that helps: a mark does not keep a secret",
      sources: [.appleOptimizing, .eidinger]),
    Recommendation(
      topic: .check,
      text: "that it exists, and ask the user again if not: a new device does not have it",
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
        } + (dataClass == .offline ? "; also Documents, if it is marked" : ""),
        sources: hasUnmarkedSystem(from: oldest)
          ? [.appleQA1719, .appleOptimizing, .appleGuidelines2011]
          : [.appleOptimizing, .appleGuidelines2011]),
      Recommendation(
        topic: .mark,
        text: "after each save, or once on its own directory each time that is created: "
          + inWords(from: oldest) { dataClass.mark(on: $0).interface } + renewal(from: oldest),
        sources: [.appleOptimizing, .appleQA1719]),
      check(from: oldest),
      Recommendation(
        topic: .delete,
        text: dataClass == .offline
          ? "when the user no longer needs it; nothing else deletes it, and a scenario's "
            + "'storage' limits how much may stay"
          : "when a newer version has replaced it",
        sources: [.appleGuidelines2011]),
    ]
  }

  /// What to check of data that can be fetched again.
  private static func check(from oldest: SystemVersion) -> Recommendation {
    let purged = hasUnmarkedSystem(from: oldest) ? ", or a purge under iOS 5.0" : ""
    return Recommendation(
      topic: .check,
      text:
        "that it exists before each use, and download it again if a restore or an update has "
        + "lost it" + purged,
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
