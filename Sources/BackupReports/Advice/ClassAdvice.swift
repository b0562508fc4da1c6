import BackupCollections
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios

/// Advice on the data of a class: its place, its mark, and what the app must check and delete
/// itself.
///
/// The advice depends on the oldest version of iOS that the app supports.
package struct ClassAdvice: Hashable, Sendable {
  package let dataClass: DataClass
  /// The oldest supported versions of iOS for which this advice holds, in ascending order.
  package let oldestSystems: [SystemVersion]
  /// The recommendations, in the order of the topics.
  package let recommendations: [Recommendation]

  package struct Recommendation: Hashable, Sendable {
    package let topic: Topic
    /// The advice as a sentence, but without a capital at the start and a period at the end.
    package let text: String
    /// The sources of the advice, the most important first.
    package let sources: [SystemProfile.Source]

    fileprivate init(_ topic: Topic, _ text: String, _ sources: [SystemProfile.Source] = []) {
      (self.topic, self.text, self.sources) = (topic, text, sources)
    }
  }

  package enum Topic: String, CaseIterable, Hashable, Sendable {
    case place, mark, check, delete
  }

  /// Returns the advice on classes, in the order of `classes`. A class has several pieces of advice
  /// if the advice depends on the oldest supported version of iOS.
  package static func all(on classes: [DataClass] = DataClass.allCases) -> [ClassAdvice] {
    classes.flatMap { dataClass in
      SystemProfile.all.map(\.version).grouped { recommendations(on: dataClass, from: $0) }.map {
        ClassAdvice(
          dataClass: dataClass, oldestSystems: $0,
          recommendations: recommendations(on: dataClass, from: $0[0]))
      }
    }
  }

  /// The oldest supported versions in words, such as `any`, `5.0` or `5.1 and later`.
  var systemsInWords: String {
    guard let first = oldestSystems.first, let last = oldestSystems.last else { return "" }
    if oldestSystems.count == SystemProfile.all.count { return "any" }
    if oldestSystems.count == 1 { return "\(first)" }
    return last == SystemProfile.all.last?.version ? "\(first) and later" : "\(first) to \(last)"
  }

  /// Returns the words for the systems from `oldest` on, such as
  /// `A under iOS 5.0, B from 5.0.1 on`. If the words are the same for all systems, returns them
  /// once: `A`.
  static func inWords(from oldest: SystemVersion, _ words: (SystemProfile) -> String) -> String {
    let profiles = SystemProfile.all.filter { $0.version >= oldest }
    let groups = profiles.grouped(by: words).map { group in
      (words: group.first.map(words) ?? "", versions: group.map(\.version.description))
    }
    guard let newestGroup = groups.last, let firstVersion = newestGroup.versions.first,
      groups.count > 1
    else {
      return groups.first?.words ?? ""
    }
    let earlierPhrases = groups.dropLast().map {
      "\($0.words) under iOS \($0.versions.joinedInWords)"
    }
    return (earlierPhrases + ["\(newestGroup.words) from \(firstVersion) on"]).joined(
      separator: ", ")
  }
}

extension ClassAdvice {
  private static func recommendations(
    on dataClass: DataClass, from oldest: SystemVersion
  ) -> [Recommendation] {
    switch dataClass {
    case .critical: critical
    case .support, .offline: supportOrOffline(dataClass, from: oldest)
    case .cached: cached
    case .temporary: temporary
    case .secret: secret
    }
  }

  private static let critical = [
    Recommendation(
      .place, "Documents; Library/Application Support if the user must not see the file",
      [.appleGuidelines2011, .appleFSPG]),
    Recommendation(
      .mark,
      "none: do not mark the file or a directory above it, because a restored device would not "
        + "have the file",
      [.appleResourceValue, .eidinger]),
    Recommendation(
      .check,
      "before each save, check that the directory exists, because a new container has no "
        + "Library/Application Support",
      [.eidinger]),
    Recommendation(.delete, "only when the user deletes the file"),
  ]

  private static let noMarkRecommendation = Recommendation(
    .mark, "none: backups never contain the file", [.appleOptimizing])

  private static let cached = [
    Recommendation(.place, "Library/Caches", [.appleOptimizing, .appleGuidelines2011]),
    noMarkRecommendation,
    Recommendation(
      .check,
      "before each use, check that the file and its directory exist, because iOS may delete "
        + "both while the app is not running",
      [.appleFileSystem, .appleOptimizing]),
    Recommendation(
      .delete, "when the app no longer needs the file, because iOS does not always delete it",
      [.appleOptimizing]),
  ]

  private static let temporary = [
    Recommendation(.place, "tmp", [.appleGuidelines2011, .appleOptimizing]),
    noMarkRecommendation,
    Recommendation(
      .check, "after each launch, check whether the file exists",
      [.appleFileSystem, .appleOptimizing]),
    Recommendation(.delete, "when the task ends, even if the task fails", [.appleGuidelines2011]),
  ]

  private static let secret = [
    Recommendation(
      .place, "the keychain, for this device only; never a file in a backup",
      [.eidinger, .appleKeychain]),
    Recommendation(
      .mark, "none: a mark does not protect a secret", [.appleOptimizing, .eidinger]),
    Recommendation(
      .check,
      "check that the item exists; if not, ask the user again, because a new device does not "
        + "have the item",
      [.appleKeychain]),
    Recommendation(.delete, "when the user signs out"),
  ]

  private static func supportOrOffline(
    _ dataClass: DataClass, from oldest: SystemVersion
  ) -> [Recommendation] {
    let profiles = SystemProfile.all.filter { $0.version >= oldest }
    let hasSystemWithoutMarks = profiles.contains(where: \.honouredMarks.value.isEmpty)
    let purgePhrase = hasSystemWithoutMarks ? " or a purge under iOS 5.0" : ""
    let placesPhrase = inWords(from: oldest) { profile in
      dataClass.place(on: profile).map { "\($0.path)" } ?? ""
    }
    let isOffline = dataClass == .offline
    return [
      Recommendation(
        .place, placesPhrase + (isOffline ? "; also Documents, if the file is marked" : ""),
        (hasSystemWithoutMarks ? [.appleQA1719] : []) + [.appleOptimizing, .appleGuidelines2011]),
      Recommendation(
        .mark,
        "mark the file's own directory each time the app creates or finds the directory, or mark the "
          + "file after each save; use "
          + inWords(from: oldest) { dataClass.requiredMark(on: $0).interface }
          + renewalAdvice(on: profiles),
        [.appleOptimizing, .appleQA1719]),
      Recommendation(
        .check,
        "before each use, check that the file exists; after a restore\(purgePhrase), download the file "
          + "again",
        [.appleOptimizing, .ios5BackupPost] + (hasSystemWithoutMarks ? [.appleQA1719] : [])),
      Recommendation(
        .delete,
        isOffline
          ? "when the user no longer needs the file; to limit the size of all files, add 'storage' "
            + "to a scenario"
          : "when a newer version replaces the file",
        [.appleGuidelines2011]),
    ]
  }

  /// Returns advice to mark a file again if a later system deprecates the mark. Otherwise returns
  /// an empty text.
  private static func renewalAdvice(on profiles: [SystemProfile]) -> String {
    let marks = profiles.reduce(into: ExclusionMark()) { $0.formUnion($1.markToSet) }
    let laterProfile = profiles.first { !marks.isDisjoint(with: $0.deprecatedMarks.value) }
    return laterProfile.map { "; mark it again at the first launch on iOS \($0.version) or later" }
      ?? ""
  }
}

extension ExclusionMark {
  fileprivate var interface: String {
    contains(.resourceValue)
      ? "URLResourceValues.isExcludedFromBackup"
      : "setxattr of com.apple.MobileBackup, one byte of value 1"
  }
}
