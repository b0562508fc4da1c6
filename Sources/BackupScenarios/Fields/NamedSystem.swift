import BackupCollections
import BackupDevice

/// A version of iOS as a file names it: by its number, or as the newest one.
///
/// Golden files have the word, so that they stay correct after the next iOS release.
package struct NamedSystem: Hashable, Sendable {
  @Boxed private(set) var profile: SystemProfile
  /// True if the file says ``SystemProfile/newestName``.
  let isNewest: Bool

  var version: SystemVersion { profile.version }

  init(_ profile: SystemProfile, isNewest: Bool) {
    self.profile = profile
    self.isNewest = isNewest
  }

  var name: String { isNewest ? SystemProfile.newestName : version.description }

  /// Returns true if both are the same version, even under different names.
  package static func == (left: NamedSystem, right: NamedSystem) -> Bool {
    left.version == right.version
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(version)
  }
}
