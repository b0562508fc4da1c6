import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A row of WhatIOSDoes, made of what the profiles say.
struct ProfileStatement: Sendable {
  /// The first and the last of the systems that it holds for.
  typealias Span = (first: SystemVersion, last: SystemVersion)

  /// The heading that its table is below.
  let section: String
  /// The entries of profiles that it is about, as ``Grounds`` name them; none for what is no entry.
  let entries: [String]
  /// Whether it holds for a system.
  let holds: @Sendable (SystemProfile) -> Bool
  /// The row's first cell, for a system that it holds for.
  let words: @Sendable (SystemProfile, Span) -> String

  /// A statement; on every system unless said.
  init(
    _ section: String, _ entries: [String] = [],
    where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ words: @escaping @Sendable (SystemProfile, Span) -> String
  ) {
    self.section = section
    self.entries = entries
    self.holds = holds
    self.words = words
  }

  /// The systems that it holds for.
  var profiles: [SystemProfile] { SystemProfile.all.filter(holds) }

  /// What it says of each of them: one sentence, unless two systems differ.
  var sentences: Set<String> {
    guard let first = profiles.first?.version, let last = profiles.last?.version else { return [] }
    return Set(profiles.map { words($0, (first, last)) })
  }

  /// What is behind it, system by system.
  private var grounds: [(version: SystemVersion, grounds: Grounds)] {
    profiles.flatMap { profile in
      profile.grounds.filter { entries.contains($0.entry) }.map { (profile.version, $0) }
    }
  }

  /// How sure it is, as the article says it: `` `observed` from 14 on ``.
  var evidence: String {
    let kinds = Set(grounds.map(\.grounds.evidence))
    let seen = grounds.filter { $0.grounds.evidence != .unverified }.map(\.version)
    let word = "`\((kinds.subtracting([.unverified]).first ?? .unverified).rawValue)`"
    guard kinds.count > 1, let first = seen.first, let last = seen.last else { return word }
    return last == profiles.last?.version
      ? "\(word) from \(first) on" : "\(word) from \(first) to \(last)"
  }

  /// Where it comes from, as the article says it, by the newest of the systems.
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
  /// The paths in a sentence.
  var inWords: String { map(\.description).joinedInWords }
}

extension [SystemProfile.Sourced<ContainerPath>] {
  /// The places in a sentence.
  var inWords: String { map(\.value).inWords }
}
