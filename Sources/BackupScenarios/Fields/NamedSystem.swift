import BackupCollections
import BackupDevice

/// A version of iOS as a file names it: by its number, or by the word `newest`.
///
/// Golden files keep the word, so that they stay correct after the next iOS release.
package struct NamedSystem: Hashable, Sendable {
  @Boxed private(set) var profile: SystemProfile
  /// True if the file has the word `newest` (``SystemProfile/newestName``).
  let isNewest: Bool

  var version: SystemVersion { profile.version }

  init(_ profile: SystemProfile, isNewest: Bool) {
    self.profile = profile
    self.isNewest = isNewest
  }

  var name: String { isNewest ? SystemProfile.newestName : version.description }

  /// Returns true if both are the same version, even if one of them is named `newest`.
  package static func == (left: NamedSystem, right: NamedSystem) -> Bool {
    left.version == right.version
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(version)
  }
}
