import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Data that has to last, in a place that the system may empty.
///
/// Library/Caches and tmp stay out of backups, so apps use them for what is large. But the system
/// empties them when space is short, and a user without a network is without the downloads.
struct UserDataPurgeableRule: Rule {
  let name = "user-data-purgeable"
  let severity = Scenario.Severity.error
  let summary = "a critical, support or offline item in a place that the system purges"
  let basis = RuleBasis.classes
  let subjects: [SystemProfile.Subject] = [.purge]
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for (index, moment) in history.indexedMoments where moment.hasAppRun {
      let places = moment.tree.containerNames.flatMap(moment.profile.purgeablePlaces)
      let lasting = moment.promisedFiles.filter { file in
        file.dataClass.map { lasts($0, on: moment.profile) } == true
          && places.contains { $0.isAncestor(of: file.path) }
      }
      for file in lasting where findings.contains(self, file.path) {
        findings.account(for: .leftOut(file.path, at: index))
      }
      let new = lasting.filter { !findings.contains(self, $0.path) }
      guard !new.isEmpty else { continue }
      let purged = Self.purge(moment)
      for file in new where !purged.contains(file.path) {
        report(file, at: index, of: history, &findings)
      }
    }
  }

  /// Reports a file that has to last and that the worst purge takes.
  private func report(
    _ file: PromisedFile, at moment: Int, of history: RunHistory, _ findings: inout FindingList
  ) {
    let (index, moment) = (moment, history.moments[moment])
    guard let dataClass = file.dataClass, let step = moment.ledger.origin(of: file.path)
    else { return }
    findings.add(
      self, at: step, on: file.path,
      "'\(file.path)' is \(dataClass.rawValue) data, but the system may delete it where it is",
      advice: dataClass.placeAdvice(for: file.path, on: moment.profile),
      accountsFor: [.leftOut(file.path, at: index)])
  }

  /// Whether data of a class must outlive a purge; 5.0 has no other place for what is fetched, and
  /// a secret is safest where no backup looks.
  private func lasts(_ dataClass: DataClass, on profile: SystemProfile) -> Bool {
    switch dataClass {
    case .critical: true
    case .support, .offline: !profile.honouredMarks.value.isEmpty
    case .cached, .temporary, .secret: false
    }
  }

  /// The container after the worst purge.
  private static func purge(_ moment: RunHistory.Moment) -> FileTree {
    PurgeSimulator(profile: moment.profile).purge(moment.tree, .criticalStorage).tree
  }
}
