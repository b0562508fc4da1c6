import BackupCollections
import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Wrong decisions of the rules on classes, names and budgets.
  static let promises: [Mutant] =
    purgeable + excluded + recreatable + misplaced + refused + secrets + tidiness + budgets

  /// Wrong decisions of `user-data-purgeable`.
  private static let purgeable: [Mutant] =
    mutantsIgnoring([.critical, .support, .offline], by: UserDataPurgeableRule()) + [
      .finding("file in tmp passed over", of: UserDataPurgeableRule()) { finding, _ in
        finding.path?.location == .temporary ? nil : finding
      },
      .finding("file in Caches passed over", of: UserDataPurgeableRule()) { finding, _ in
        finding.path?.location == .caches ? nil : finding
      },
      .extra(
        "cached file reported too", by: UserDataPurgeableRule(),
        near: ["real-world/offline-content-in-caches"]
      ) { history in
        history.files(of: .cached).filter { $0.1.location == .caches }
      },
      .extra(
        "temporary file reported too", by: UserDataPurgeableRule(),
        near: ["backups/documents-and-library"]
      ) { history in
        history.files(of: .temporary).filter { $0.1.location == .temporary }
      },
      .reading(
        "5.0 not exempt", by: UserDataPurgeableRule(), near: ["eras/5-0-offline-data-in-caches"]
      ) {
        $0.changeProfiles { $0.honouredMarks.value.formUnion(.resourceValue) }
      },
      .reading(
        "file spared by its mark reported too", by: UserDataPurgeableRule(),
        near: ["purge/offline-data-spared-by-its-mark-before-9"]
      ) {
        $0.changeProfiles { $0.purge.sparesMarked.value = false }
      },
      .finding("data of a web view passed over", of: UserDataPurgeableRule()) { finding, _ in
        finding.path?.isInSystemDirectory == true ? nil : finding
      },
      .extra(
        "data of a web view that a file has too reported", by: UserDataPurgeableRule(),
        near: ["classes/critical-in-a-file-and-a-web-view"]
      ) { history in
        history.files(of: .critical).filter { $0.1.isInSystemDirectory }
      },
      .reading(
        "web views keep it before iOS 8", by: UserDataPurgeableRule(),
        near: ["classes/critical-in-a-web-view"]
      ) { transcript in
        let storage =
          transcript.entries.last?.profile.version.description == "7"
          ? SystemProfile.newest?.webViewStorage : nil
        guard let storage else { return }
        transcript.changeProfiles { $0.webViewStorage = storage }
      },
      .finding(
        "what an extension saves passed over", of: UserDataPurgeableRule(),
        near: ["containers/widget-saves-in-caches"]
      ) { finding, history in
        history.transcript.entries.contains { $0.isOfExtension && $0.step == finding.step }
          ? nil : finding
      },
      .finding(
        "5.0 exempts the user's own", of: UserDataPurgeableRule(),
        near: ["eras/5-0-offline-data-in-caches"]
      ) {
        $1.moments.last?.profile.honouredMarks.value.isEmpty == true ? nil : $0
      },
    ]

  /// Wrong decisions of `user-data-excluded`.
  private static let excluded: [Mutant] = [
    .finding("left out by its mark passed over", of: UserDataExcludedRule()) { finding, history in
      history.isLeftOut(finding.path, by: \.isByMark) ? nil : finding
    },
    .finding(
      "left out by its place passed over", of: UserDataExcludedRule(),
      near: ["names/user-data-in-a-system-place"]
    ) { finding, history in
      history.isLeftOut(finding.path, by: \.isByMark) ? finding : nil
    },
    .finding("blames the save, not the mark", of: UserDataExcludedRule()) { finding, history in
      let origin = finding.path.flatMap { history.moments.last?.ledger.origins[$0] }
      return finding.with(step: origin)
    },
    .extra(
      "file kept with its database reported too", by: UserDataExcludedRule(),
      near: ["directories/database-stored-whole"]
    ) { history in
      history.files(of: .critical).filter { _, path in
        history.isLeftOut(path) { if case .databaseSibling = $0 { true } else { false } }
      }
    },
    .extra(
      "what the user has switched off reported too", by: UserDataExcludedRule(),
      near: ["restore/backup-switched-off"]
    ) { history in
      history.files(of: .critical).filter { history.isLeftOut($0.1) { $0 == .switchedOff } }
    },
  ]

  /// Wrong decisions of `recreatable-data-backed-up`.
  private static let recreatable: [Mutant] =
    mutantsIgnoring([.support, .offline, .cached, .temporary], by: RecreatableDataBackedUpRule())
    + [
      .extra("the user's own reported too", by: RecreatableDataBackedUpRule()) { history in
        history.files(of: .critical).filter { history.holders(of: [$0.1])[$0.1] != nil }
      },
      .reading(
        "ignored guidance held against the app", by: RecreatableDataBackedUpRule(),
        near: ["guidance/budget-counts-on-marks"]
      ) { $0.changeProfiles { $0.guidance = .honoured } },
      .reading(
        "directory's mark does not count under ignored guidance", by: RecreatableDataBackedUpRule(),
        near: ["guidance/budget-counts-on-marks"]
      ) {
        $0.changeTrees { tree in
          for path in tree.paths where tree[path]?.isDirectory == true {
            tree.modify(path) { $0.marks = [] }
          }
        }
      },
      .reading(
        "an extension has control of the app's container", by: RecreatableDataBackedUpRule(),
        near: ["containers/marks-lost-before-a-widget"]
      ) { $0.moveExtensionsIntoApp() },
      .finding(
        "ignored guidance excuses what was never marked", of: RecreatableDataBackedUpRule(),
        near: ["guidance/never-marked"]
      ) { $1.scenario.guidance == .ignored ? nil : $0 },
    ]

  /// Returns a mutant for each class, in which the rule does not report files of the class.
  static func mutantsIgnoring(_ classes: [DataClass], by rule: any Rule) -> [Mutant] {
    classes.map { dataClass in
      .finding("\(dataClass.rawValue) file passed over", of: rule) { finding, history in
        history.dataClass(of: finding.path) == dataClass ? nil : finding
      }
    }
  }
}

extension RunHistory {
  /// Returns all files of a class during the run, with the steps that created them or moved them
  /// there.
  func files(of dataClass: DataClass) -> [(Scenario.StepReference, ContainerPath)] {
    moments.flatMap { moment in
      moment.promisedFiles.filter { $0.dataClass == dataClass }
        .compactMap { file in moment.ledger.origins[file.path].map { ($0, file.path) } }
    }
  }

  /// Returns true if a backup leaves an item out for a reason that meets a condition.
  fileprivate func isLeftOut(
    _ path: ContainerPath?, by meetsCondition: (BackupSet.LeftOutReason) -> Bool
  ) -> Bool {
    moments.compactMap(\.backup).contains { backup in
      path.flatMap { backup.contents.decision(on: $0)?.reason }.map(meetsCondition) == true
    }
  }
}
