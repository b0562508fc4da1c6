import BackupDevice
import BackupFileTree
import BackupJSON5

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// Mutants that each rule has, except for rules that no scenario file can break.
  static let commonRuleMutants: [Mutant] = RuleList.all.filter { $0.basis != .check }
    .flatMap { rule -> [Mutant] in
      [
        .off(rule),
        .finding("another severity", of: rule, near: ["guidance/never-marked"]) { finding, _ in
          finding.with(severity: finding.severity == .error ? .warning : .error)
        },
        .finding("blames the step before", of: rule) { finding, history in
          let steps = (history.scenario.launch + history.scenario.steps).map(\.reference)
          guard let index = steps.firstIndex(of: finding.step), index > 0 else { return finding }
          return finding.with(step: steps[index - 1])
        },
      ]
    }

  /// The rules in a wrong order.
  static let ruleOrder: [Mutant] = [
    Mutant(
      "rules checked in reverse", of: .whole, near: ["marks/documents-directory-with-user-data"]
    ) {
      $0.suite.rules.reverse()
    }
  ]

  /// Rules whose findings do not stop later rules from reporting the same problem.
  static let unexplained: [Mutant] = [
    .unexplained(ExistsBeforeSetRule()), .unexplained(MarkUnavailableRule()),
    .unexplained(SystemDirectoryMarkedRule()), .unexplained(ReapplyOnSaveRule()),
    .unexplained(UserDataPurgeableRule()),
    .unexplained(UserDataExcludedRule(), near: ["real-world/import-excluded-and-lost"]),
    .unexplained(
      RecreatableDataBackedUpRule(), near: ["backups/over-budget-by-an-unmarked-movie"]),
  ]

  /// Wrong decisions of the rules on marks.
  static let markRules: [Mutant] =
    systemDirectories + deprecations + groups + links + [
      .extra(
        "reported of an app that checks", by: ExistsBeforeUseRule(),
        near: ["purge/cache-fetched-again", "updates/tmp-not-carried"]
      ) { history in
        history.scenario.steps("read") { $0["ifMissing"] != nil }
      },
      .extra(
        "reported of an app that copes", by: SealedFileUnreadableRule(),
        near: ["restore/key-made-anew"]
      ) { history in
        history.scenario.steps("read") { $0["throws"] != nil }
      },
      .finding("what is in tmp by luck passed over", of: ExistsBeforeUseRule()) { finding, _ in
        finding.severity == .warning ? nil : finding
      },
      .finding("missing but not read passed over", of: ExistsBeforeUseRule()) { finding, history in
        let uses: Set<StepKeyword> = [.append, .copy, .exclude, .include, .move, .remove]
        let isUse = history.scenario.steps.contains {
          $0.reference == finding.step && uses.contains($0.action.keyword)
        }
        return isUse ? nil : finding
      },
      .extra(
        "moved by an app that looks", by: ExistsBeforeUseRule(),
        near: ["moves/database-with-its-log"]
      ) { history in
        history.scenario.steps("move") { $0["ifMissing"] != nil }
      },
      .finding("database moved or copied without its log", of: IncompleteGroupRule()) {
        finding, history in
        let isMoved = history.scenario.steps.contains {
          $0.reference == finding.step && [.copy, .move].contains($0.action.keyword)
        }
        return isMoved ? nil : finding
      },
      .extra(
        "database moved after its log", by: IncompleteGroupRule(),
        near: ["moves/database-with-its-log"]
      ) { history in
        history.scenario.steps("move") { keys in
          if case .string(let place)? = keys["to"] { place.hasSuffix(".sqlite") } else { false }
        }
      },
      .extra(
        "read in tmp reported while the app runs on", by: ExistsBeforeUseRule(),
        near: ["purge/tmp-checked-after-a-relaunch"]
      ) { $0.uncheckedReads.filter { $0.1.location == .temporary } },
      .extra(
        "read beside tmp reported", by: ExistsBeforeUseRule(),
        near: ["purge/tmp-checked-after-a-relaunch"]
      ) { $0.uncheckedReads.filter { $0.1.location != .temporary } },
      .extra(
        "user data lost by its mark reported twice", by: ExistsBeforeUseRule(),
        near: ["real-world/import-excluded-and-lost"]
      ) { history in
        history.missingReads.filter { history.dataClass(of: $0.1) == .critical }
      },
      .finding(
        "user data missing for another reason passed over", of: ExistsBeforeUseRule(),
        near: ["real-world/import-excluded-and-lost"]
      ) { finding, history in
        history.dataClass(of: finding.path) == .critical ? nil : finding
      },
      .finding("mark on nothing by an app that copes", of: ExistsBeforeSetRule()) {
        $1.isExpectedToFail($0.step) ? nil : $0
      },
      .extra(
        "reported of an app that copes", by: MarkUnavailableRule(),
        near: ["eras/5-0-resource-value-caught"]
      ) {
        history in
        history.scenario.steps.compactMap { step in
          guard step.expectedFailure == .code(.unavailable) || step.expectedFailure == .any,
            step.action.keyword == .exclude, let path = step.action.pathIfRepeatable
          else { return nil }
          return (step.reference, path)
        }
      },
    ]

  /// Wrong decisions of `system-directory-marked`.
  private static let systemDirectories: [Mutant] =
    ContainerPath.StandardLocation.allCases.map { place in
      .finding("\(place.rawValue) passed over", of: SystemDirectoryMarkedRule()) { finding, _ in
        finding.path == place.path ? nil : finding
      }
    } + [
      .extra(
        "own directory reported too", by: SystemDirectoryMarkedRule(),
        near: ["backups/within-budget"]
      ) { history in
        history.marked.filter { $0.path.ownLocation == nil }.map { ($0.step, $0.path) }
      }
    ]

  /// Wrong decisions of `deprecated-mark`.
  private static let deprecations: [Mutant] = [
    .reading(
      "new mark beside the old does not help", by: DeprecatedMarkRule(), near: ["eras/both-ways"]
    ) {
      $0.changeTrees { tree in
        for path in tree.paths { tree.modify(path) { $0.marks.subtract(.resourceValue) } }
      }
    },
    .reading("reported on every system", by: DeprecatedMarkRule(), near: ["eras/"]) {
      $0.changeProfiles { $0.deprecatedMarks.value = .extendedAttribute }
    },
    .extra(
      "reported of an item that is gone", by: DeprecatedMarkRule(),
      near: ["eras/attribute-on-a-removed-file"]
    ) {
      history in
      history.marked.filter { marked in
        marked.mark == .extendedAttribute
          && !marked.profile.deprecatedMarks.value.isEmpty
          && !history.transcript.lastTree.contains(marked.path)
      }.map { ($0.step, $0.path) }
    },
    .extra("reported at once", by: DeprecatedMarkRule(), near: ["eras/attribute-on-a-removed-file"])
    { history in
      history.marked.filter { marked in
        !marked.mark.isDisjoint(with: marked.profile.deprecatedMarks.value)
          && marked.tree[marked.path]?.marks.contains(.resourceValue) == false
      }.map { ($0.step, $0.path) }
    },
    .reading(
      "settled at the end only", by: DeprecatedMarkRule(), near: ["eras/both-ways-one-backup-late"]
    ) {
      $0.entries.removeAll(where: \.event.isBySystem)
    },
    .reading("new mark reported", by: DeprecatedMarkRule(), near: ["marks/"]) {
      $0.changeProfiles { $0.deprecatedMarks.value.formUnion(.resourceValue) }
      $0.changeTrees { tree in
        for path in tree.paths { tree.modify(path) { $0.marks = [] } }
      }
    },
  ]

  /// Wrong decisions of `stale-container-path` on links.
  private static let links: [Mutant] = [
    .finding("link in use passed over", of: StaleContainerPathRule()) { finding, _ in
      finding.severity == .error ? nil : finding
    },
    .finding("link left standing passed over", of: StaleContainerPathRule()) { finding, _ in
      finding.severity == .warning ? nil : finding
    },
    .extra(
      "link made again reported", by: StaleContainerPathRule(),
      near: ["updates/link-made-again"]
    ) { history in
      history.scenario.steps("link") { $0["absolute"] == .bool(true) }
    },
    .extra(
      "relative link reported", by: StaleContainerPathRule(), near: ["restore/link-comes-back"]
    ) { history in
      history.scenario.steps("link") { $0["absolute"] != .bool(true) }
    },
  ]
}

extension Scenario {
  /// Returns the steps with a keyword whose keys in the file meet a condition, and the paths of
  /// their items.
  fileprivate func steps(
    _ keyword: String, where meetsCondition: ([String: LocatedValue.Kind]) -> Bool
  ) -> [(StepReference, ContainerPath)] {
    guard case .object(let members)? = fileValue?.kind,
      case .array(let values)? = members.first(where: { $0.key == "steps" })?.value.kind
    else { return [] }
    return zip(steps, values).compactMap { step, value in
      guard case .object(let members) = value.kind else { return nil }
      let keys = Dictionary(members.map { ($0.key, $0.value.kind) }) { first, _ in first }
      guard case .string(let path)? = keys[keyword], meetsCondition(keys) else { return nil }
      return (try? ContainerPath(path)).map { (step.reference, $0) }
    }
  }
}
