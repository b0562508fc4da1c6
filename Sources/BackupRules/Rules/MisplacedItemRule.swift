import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// An item out of its place, marked or not: cached or temporary data where nothing is purged,
/// support data among the user's own.
///
/// Documents is for what the user made. A mark keeps a thumbnail there out of backups, but not out
/// of the user's sight, and the system cannot take it when the device is full. Data for use without
/// a network may lie in Documents, by the same guidelines.
struct MisplacedItemRule: Rule {
  let name = "misplaced-item"
  let severity = Scenario.Severity.warning
  let summary =
    "a cached or temporary item outside Library/Caches and tmp, or a support item in Documents"
  let sources: [SystemProfile.Source] = [.appleGuidelines2011]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    var seen: Set<ContainerPath> = []
    for moment in history.moments {
      for file in moment.promisedFiles {
        guard let dataClass = file.dataClass,
          Self.isMisplaced(file.path, dataClass, on: moment.profile),
          let step = moment.ledger.origins[file.path], seen.insert(file.path).inserted,
          // That one says where it belongs, too.
          !findings.contains(RecreatableDataBackedUpRule(), file.path)
        else { continue }
        let isSupport = dataClass == .support
        findings.add(
          self, severity: isSupport ? .advice : severity, at: step, on: file.path,
          isSupport
            ? "'\(file.path)' is support data, but in Documents, which is for what the user made"
            : "'\(file.path)' is \(dataClass.rawValue) data, but where the system cannot purge it",
          advice: Self.advice(dataClass, on: moment.profile))
      }
    }
  }

  /// Whether data of a class does not belong where it is; what the system puts somewhere is not the
  /// app's doing.
  private static func isMisplaced(
    _ path: ContainerPath, _ dataClass: DataClass, on profile: SystemProfile
  ) -> Bool {
    let isOutOfPlace =
      switch dataClass {
      case .cached, .temporary: path.location?.isPurgeable != true
      case .support: path.location == .documents
      case .critical, .offline, .secret: false
      }
    return isOutOfPlace && !Inbox.holds(path)
      && !profile.backup.systemManaged.contains { $0.value.covers(path) }
  }

  /// Where data of a class belongs on a system.
  private static func advice(_ dataClass: DataClass, on profile: SystemProfile) -> String {
    switch dataClass {
    case .cached: "keep it in Library/Caches"
    case .temporary: "keep it in tmp, and delete it when done"
    case .support where profile.honouredMarks.value.isEmpty:
      "keep it in Library/Caches on this system, which has no mark"
    case .critical, .secret, .offline, .support:
      "keep it in Library/Application Support, and mark it with isExcludedFromBackup"
    }
  }
}
