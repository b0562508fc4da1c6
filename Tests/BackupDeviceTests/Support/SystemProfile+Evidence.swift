import BackupDevice
import BackupFileTree

/// The evidence and the sources of one entry of a profile.
struct Grounds: CustomStringConvertible {
  let entry: String
  let evidence: SystemProfile.Evidence
  let sources: [SystemProfile.Source]

  init<Value>(_ entry: String, _ sourced: SystemProfile.Sourced<Value>) {
    self.entry = entry
    self.evidence = sourced.evidence
    self.sources = sourced.sources
  }

  var description: String { "\(entry): \(evidence), \(sources.map(\.key))" }
}

extension SystemProfile {
  /// The grounds of all entries.
  var grounds: [Grounds] {
    [
      Grounds("honoured marks", honouredMarks), Grounds("available marks", availableMarks),
      Grounds("deprecated marks", deprecatedMarks), Grounds("bundle", bundleIsInContainer),
      Grounds("idle", purge.idle), Grounds("low storage", purge.lowStorage),
      Grounds("critical storage", purge.criticalStorage), Grounds("unit", purge.unit),
      Grounds("spared", purge.sparesMarked), Grounds("carried over", update.carriedOver),
      Grounds("may be lost", update.mayBeLost),
      Grounds("unrestored", update.neverRestored),
      Grounds("kept offloaded", offload.kept), Grounds("lost offloaded", offload.lost),
      Grounds("keychain after deletion", keychain.outlivesDeletion),
      Grounds("keychain after restore", keychain.outlivesRestore),
      Grounds("keychain elsewhere", keychain.reachesNewDevice),
      Grounds("ordinary items elsewhere", keychain.bringingOrdinaryItems),
      Grounds("usual protection", lock.defaultProtection),
      Grounds("hidden defaults", lock.hidesUserDefaults), Grounds("transfer", transfer),
      Grounds("group idle", groupPurge.idle),
      Grounds("group low storage", groupPurge.lowStorage),
      Grounds("group critical storage", groupPurge.criticalStorage),
      Grounds("group unit", groupPurge.unit), Grounds("group spared", groupPurge.sparesMarked),
      Grounds("group kept", updateKeepsGroups),
    ] + (webViewStorage.value.isEmpty ? [] : [Grounds("web views", webViewStorage)])
      + ContainerKind.allCases.flatMap { backupPolicy(for: $0).grounds(of: $0) }
  }
}

extension SystemProfile.BackupPolicy {
  /// The grounds of all entries. The name of each begins with the kind of container.
  fileprivate func grounds(of kind: SystemProfile.ContainerKind) -> [Grounds] {
    [
      Grounds("\(kind) roots", roots), Grounds("\(kind) remnants", remnants),
      Grounds("\(kind) databases", storesDatabasesWhole),
      Grounds("\(kind) skipped length", skippedPathLength),
      Grounds("\(kind) own length", containerPathLength),
    ] + locations.map { Grounds("\(kind) locations", $0) }
      + systemManaged.map { Grounds("\(kind) system's own", $0) }
  }
}
