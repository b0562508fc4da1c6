import BackupCollections
import BackupDevice
import BackupFileTree

@testable import BackupRules
@testable import BackupScenarios

extension Mutant {
  /// Wrong decisions of the rules on lost data, names and leftover files.
  static let tidiness: [Mutant] = [
    .reading("kills passed over", by: UserDataLostRule()) { transcript in
      transcript.entries.removeAll { if case .killed = $0.event { true } else { false } }
    },
    .reading("starts passed over", by: UserDataLostRule()) { transcript in
      transcript.entries.removeAll(where: \.isOfStart)
    },
    .reading("restores passed over", by: UserDataLostRule()) { transcript in
      transcript.entries.removeAll { $0.event.systemEvent?.restoredBackup != nil }
    },
    .reading(
      "an extension does not wait for the app's start", by: UserDataLostRule(),
      near: ["saving/recovered-after-a-widget-ran"]
    ) { $0.moveExtensionsIntoApp() },
    .extra(
      "renamed file reported", by: UserDataLostRule(),
      near: ["saving/log-renamed-before-a-new-one", "saving/folders-swapped-by-two-renames"]
    ) { history in
      history.transcript.entries.flatMap { entry in
        guard case .changes(let changes) = entry.event else {
          return [(Scenario.StepReference, ContainerPath)]()
        }
        return changes.compactMap { change in
          if case .moved(let path, to: _) = change { (entry.step, path) } else { nil }
        }
      }
    },
    .extra(
      "each save of a start reported", by: UserDataLostRule(),
      near: ["restore/list-kept-at-the-start"]
    ) { history in
      history.transcript.entries.flatMap { entry in
        guard case .changes(let changes) = entry.event, case .launch = entry.step.number else {
          return [(Scenario.StepReference, ContainerPath)]()
        }
        return changes.map { (entry.step, $0.path) }
      }
    },
    .extra(
      "whatever a step removes reported", by: UserDataLostRule(),
      near: ["saving/copied-whole-before-the-original-goes"]
    ) { history in
      history.transcript.entries.flatMap { entry in
        guard case .changes(let changes) = entry.event else {
          return [(Scenario.StepReference, ContainerPath)]()
        }
        return changes.compactMap { change in
          if case .removed(let path) = change { (entry.step, path) } else { nil }
        }
      }
    },
    .reading("names passed over", by: NamesMissingFileRule()) { transcript in
      transcript.entries.removeAll { entry in
        if case .namedMissing = entry.event { true } else { false }
      }
    },
    .extra(
      "whatever a purge took reported", by: NamesMissingFileRule(),
      near: ["purge/index-and-items-made-again"]
    ) { history in
      history.transcript.entries.flatMap { entry in
        guard case .system(.purge, lost: let items) = entry.event else {
          return [(Scenario.StepReference, ContainerPath)]()
        }
        return items.map { (entry.step, $0.path) }
      }
    },
    .finding("directory in the way passed over", of: HalfDoneRule()) { finding, history in
      finding.path.map { history.transcript.lastTree[$0]?.isDirectory == true } == true
        ? nil : finding
    },
    .extra("whatever a killed step made reported", by: HalfDoneRule(), near: ["saving/killed"]) {
      $0.madeByKilledSteps
    },
    .finding("growth of a locked file passed over", of: ReadableBeforeUseRule()) {
      finding, history in
      history.scenario.steps.contains { $0.reference == finding.step && $0.keyword == .append }
        ? nil : finding
    },
    .extra("moved away, but reported", by: TemporaryLeftBehindRule()) { history in
      history.files(of: .temporary)
    },
    .extra(
      "file of the Inbox reported beside its backup", by: TemporaryLeftBehindRule(),
      near: ["classes/inbox-left-full"]
    ) { history in
      history.files(of: .temporary).filter { $0.1.isInInbox }
    },
    .finding("file of the Inbox passed over", of: TemporaryLeftBehindRule()) { finding, _ in
      finding.path?.isInInbox == true ? nil : finding
    },
    .finding("item gone at the end passed over", of: UndeclaredItemRule()) { finding, history in
      finding.path.map(history.transcript.lastTree.contains) == true ? finding : nil
    },
    .extra(
      "directory deeper in Library reported too", by: DirectoryNameRule(),
      near: ["backups/every-parent-is-an-item"]
    ) { history in
      history.createdDirectories.filter { $0.1.parent?.location == .applicationSupport }
    },
    .extra("name that holds the bundle identifier reported", by: DirectoryNameRule()) { history in
      history.createdDirectories.filter { _, path in
        path.parent == ContainerPath.StandardLocation.library.path
          && path.name.string.contains(history.scenario.app.bundleIdentifier)
      }
    },
    .extra("the system's own names reported", by: DirectoryNameRule(), near: ["backups/"]) {
      $0.createdDirectories.filter { $0.1.parent == ContainerPath.StandardLocation.library.path }
    },
    .extra(
      "file right in Library reported", by: DirectoryNameRule(),
      near: ["directories/moved-into-library"]
    ) {
      history in
      history.moments.last.map { end in
        end.ledger.origins.elements.filter { path, _ in
          path.parent == ContainerPath.StandardLocation.library.path && end.tree[path]?.size != nil
        }.map { ($0.value, $0.key) }
      } ?? []
    },
    .finding("directory that came by a move or copy passed over", of: DirectoryNameRule()) {
      finding, history in
      history.createdDirectories.contains { $0.0 == finding.step } ? finding : nil
    },
  ]
}

extension RunHistory {
  /// The items that a killed step had created, with the step.
  fileprivate var madeByKilledSteps: [(Scenario.StepReference, ContainerPath)] {
    var before = transcript.firstTree
    return transcript.entries.flatMap { entry -> [(Scenario.StepReference, ContainerPath)] in
      defer { if !entry.isOfKilledStep { before = entry.tree } }
      guard case .killed = entry.event else { return [] }
      return entry.tree.paths.filter { !before.contains($0) }.map { (entry.step, $0) }
    }
  }

  /// The directories that the app created, with the steps that created them.
  var createdDirectories: [(Scenario.StepReference, ContainerPath)] {
    transcript.entries.flatMap { entry -> [(Scenario.StepReference, ContainerPath)] in
      guard case .changes(let changes) = entry.event else { return [] }
      return changes.compactMap { change in
        guard case .created(let path) = change, entry.tree[path]?.isDirectory == true else {
          return nil
        }
        return (entry.step, path)
      }
    }
  }
}
