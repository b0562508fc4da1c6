import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A row of the article WhatIOSDoes that states a fact from the profiles.
struct ProfileStatement: Sendable {
  /// The first and the last iOS version for which the statement holds.
  typealias Span = (first: SystemVersion, last: SystemVersion)

  /// The heading above the table with this row.
  let section: String
  /// The names of the profile entries that the statement is about; see ``Grounds``. Empty if it is
  /// about none.
  let entries: [String]
  /// Whether the statement holds for a profile.
  let holds: @Sendable (SystemProfile) -> Bool
  /// Returns the row's first cell for a profile for which the statement holds.
  let makeSentence: @Sendable (SystemProfile, Span) -> String

  /// Creates a statement. By default, it holds for all profiles.
  init(
    _ section: String, _ entries: [String] = [],
    where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ makeSentence: @escaping @Sendable (SystemProfile, Span) -> String
  ) {
    self.section = section
    self.entries = entries
    self.holds = holds
    self.makeSentence = makeSentence
  }

  /// The profiles for which the statement holds.
  var profiles: [SystemProfile] { SystemProfile.all.filter(holds) }

  /// The sentences for these profiles. If a statement is correct, it has only one sentence.
  var sentences: Set<String> {
    guard let first = profiles.first?.version, let last = profiles.last?.version else { return [] }
    return Set(profiles.map { makeSentence($0, (first, last)) })
  }

  /// The grounds of the entries, in each of these profiles.
  private var grounds: [(version: SystemVersion, grounds: Grounds)] {
    profiles.flatMap { profile in
      profile.grounds.filter { entries.contains($0.entry) }.map { (profile.version, $0) }
    }
  }

  /// The evidence as the article writes it, for example `` `observed` from 14 on ``.
  var evidence: String {
    let kinds = Set(grounds.map(\.grounds.evidence))
    let versionsWithEvidence = grounds.filter { $0.grounds.evidence != .unverified }.map(\.version)
    let evidenceWord = "`\((kinds.subtracting([.unverified]).first ?? .unverified).rawValue)`"
    guard kinds.count > 1, let first = versionsWithEvidence.first,
      let last = versionsWithEvidence.last
    else { return evidenceWord }
    return last == profiles.last?.version
      ? "\(evidenceWord) from \(first) on" : "\(evidenceWord) from \(first) to \(last)"
  }

  /// The sources as the article writes them, from the newest of these profiles.
  var sources: Set<String> {
    let newest = profiles.last?.version
    return Set(
      grounds.filter { $0.version == newest }.map { ground in
        let keys = ground.grounds.sources.map { "`\($0.key)`" }
        return keys.isEmpty ? "–" : keys.joined(separator: ", ")
      })
  }
}

extension [ContainerPath] {
  /// The paths as a list in words.
  var inWords: String { map(\.description).joinedInWords }
}

extension [SystemProfile.Sourced<ContainerPath>] {
  /// The places as a list in words.
  var inWords: String { map(\.value).inWords }
}
