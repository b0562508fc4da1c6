import BackupDevice
import BackupFileTree
import BackupScenarios

/// A use of an item that is missing, or that luck has left in tmp, by an app that did not check.
///
/// A file that was there yesterday may be gone: purged, not carried over by an update, or kept out
/// of the backup that was restored. An app that takes it for granted fails just then. What lies in
/// tmp may be gone whenever the app has ended, so a read that finds it all the same is a warning.
///
/// Where what the user made is missing because it was marked or in the wrong place, an earlier rule
/// has said so, and this one does not.
struct ExistsBeforeUseRule: Rule {
  let name = "exists-before-use"
  let severity = Scenario.Severity.error
  let summary =
    "a use of an item that is missing, or in tmp since before the app last ended, by an app that "
    + "did not check"
  let subjects: [SystemProfile.Subject] = [.purge, .update, .restore]
  let sources: [SystemProfile.Source] = [
    .appleFileSystem, .appleOptimizing, .appleAppGuide, .ios5BackupPost,
  ]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var (remains, losses) = (history.start.remains, history.start.losses)
    for entry in history.entries {
      remains.follow(entry)
      losses.follow(entry, history.classes)
      switch entry.event {
      case .readMissing(let path, let wrapper) where !Self.isExplained(path, losses, findings):
        findings.add(
          self, at: entry.step, on: path,
          "'\(path)' is read, but it is not there: purged, not carried over or not restored"
            + Self.quoting(wrapper),
          advice: Self.advice(onMissing: history.promisedClass(of: path)))
      case .writeToMissing(let path, let wrapper) where !Self.isExplained(path, losses, findings):
        findings.add(
          self, at: entry.step, on: path,
          "'\(path)' is opened or written to, but it is not there: never made, purged, not carried "
            + "over or not restored" + Self.quoting(wrapper),
          advice: "create the directory, with intermediates, before each save: where it is there, "
            + "that is no error; before a read, check that the file is there")
      case .read(let path) where remains.contain(path):
        let dataClass = history.promisedClass(of: path)
        guard dataClass != .critical || !findings.contains(UserDataPurgeableRule(), path) else {
          continue
        }
        findings.add(
          self, severity: .warning, at: entry.step, on: path,
          "'\(path)' is read unchecked, but it is in tmp since before the app last ended; the "
            + "system may empty tmp whenever the app does not run",
          advice: Self.advice(onRemains: dataClass, on: entry.profile))
      default: continue
      }
    }
  }

  /// Whether a finding accounts for a file's not being there: the user's own, that the system left
  /// out of a backup or took, since it was marked or in the wrong place.
  private static func isExplained(
    _ path: ContainerPath, _ losses: CriticalLosses, _ findings: FindingList
  ) -> Bool {
    guard let moment = losses.moment(leavingOut: path) else { return false }
    // What is beside a database shares its fate.
    return [path, path.database].compactMap(\.self).contains {
      findings.accounts(for: .leftOut($0, at: moment))
    }
  }

  /// What to do about a read of a missing file of a class; nil for one of none.
  private static func advice(onMissing dataClass: DataClass?) -> String {
    switch dataClass {
    case .critical:
      "check that the file is there, and where it is not, tell the user and begin with an empty one: "
        + "it cannot be made again"
    case .secret:
      "check that it is there, and where it is not, ask the user again: the keychain may lack it too"
    case .cached, .temporary:
      "check that the file is there, and make it again where it is not"
    case .support, .offline, nil:
      "check that the file is there, and fetch or make it again where it is not"
    }
  }

  /// What to do about a read of what is in tmp by luck, of a class; nil for one of none.
  private static func advice(
    onRemains dataClass: DataClass?, on profile: SystemProfile
  ) -> String {
    let place = ContainerPath.StandardLocation.temporary.path
    return switch dataClass {
    case .critical:
      "\(DataClass.critical.placeAdvice(for: place, on: profile)): it cannot be made again"
    case .secret, .cached, .temporary: advice(onMissing: dataClass)
    case .support, .offline, nil:
      "check that the file is there, and make it again where it is not; or "
        + (dataClass ?? .support).placeAdvice(for: place, on: profile)
    }
  }
}

extension ContainerPath {
  /// The database that the item belongs to by its name; nil for any other.
  fileprivate var database: ContainerPath? {
    name.databaseName.map { ContainerPath($0, in: parent) }
  }
}
