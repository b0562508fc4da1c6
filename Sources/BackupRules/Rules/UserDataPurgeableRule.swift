import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports data that must last, but is in a directory that the system may purge.
///
/// Library/Caches and tmp stay out of backups, so apps use them for large files. But the system
/// purges them when storage is low. A user without a network then has no downloads.
///
/// WebKit or iOS may also delete the storage of web views. As long as Apple does not document this,
/// a finding on web views is only a warning.
struct UserDataPurgeableRule: Rule {
  let name = "user-data-purgeable"
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleGuidelines2011]
  var subject: RuleSubject { .purgeablePlace }
  var consequence: String? { "'{path}' is missing after a restore" }
  var requirements: BrokenRequirements {
    .named(["class.nonpurgeable-not-in-caches", "class.critical"])
  }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    for file in checkpoint.filesToJudge {
      guard let dataClass = file.dataClass,
        let step = event.facts.ledger.origin(of: file.path)
      else { continue }
      guard checkpoint.isFaultOfApp({ purgeTakes(file.path, dataClass, in: $0) }) else {
        if dataClass == .critical, checkpoint.isFaultOfApp({ isOnlyInWebView(file.path, in: $0) }) {
          addFindingOnWebView(file.path, at: step, checkpoint.profile, &report)
        }
        continue
      }
      report.explain(.leftOut, file.path)
      report.add(
        self, at: step, on: file.path, groupedBy: .item,
        "'\(file.path)' is \(dataClass.rawValue) data, but is in a place that the system may purge",
        advice: .text(dataClass.placeAdvice(for: file.path, on: checkpoint.profile)))
    }
  }

  private func addFindingOnWebView(
    _ path: ContainerPath, at step: Scenario.StepReference, _ profile: SystemProfile,
    _ report: inout RuleReport
  ) {
    let storage = profile.webViewStorage
    report.add(
      self, severity: storage.evidence == .documented ? .error : .warning, at: step, on: path,
      groupedBy: .item,
      "'\(path)' is critical data, but only a web view keeps it, whose storage WebKit or iOS may delete",
      advice: .text(
        DataClass.critical.placeAdvice(for: path, on: profile) + ", and give it to the web view"),
      sources: storage.sources)
  }

  /// Returns true if a file is in the storage of a web view, and no other lasting file has the same
  /// contents.
  private func isOnlyInWebView(_ path: ContainerPath, in view: Checkpoint.View) -> Bool {
    guard view.profile.isWebViewData(path), let file = view.tree.fileInformation(at: path) else {
      return false
    }
    var hasNoLastingCopy = true
    view.tree.forEachItem { otherPath, item in
      guard let otherFile = item.information, ContentsVersion(otherFile) == ContentsVersion(file)
      else { return }
      hasNoLastingCopy =
        hasNoLastingCopy
        && (view.profile.isWebViewData(otherPath) || view.profile.mayPurge(otherPath))
    }
    return hasNoLastingCopy
  }

  /// Returns true if a file must last, and the worst purge takes it.
  private func purgeTakes(
    _ path: ContainerPath, _ dataClass: DataClass, in view: Checkpoint.View
  ) -> Bool {
    mustLast(dataClass, on: view.profile)
      && view.profile.purgeablePlaces(in: path.containerName).contains { $0.isAncestor(of: path) }
      && view.tree.contains(path) && !view.treeAfterWorstPurge.contains(path)
  }

  /// Returns true if no purge may take data of a class. Under iOS 5.0, downloads have no other
  /// place. A secret may be in a purgeable place, because no backup contains such a place.
  private func mustLast(_ dataClass: DataClass, on profile: SystemProfile) -> Bool {
    switch dataClass {
    case .critical: true
    case .support, .offline: !profile.honouredMarks.value.isEmpty
    case .cached, .temporary, .secret: false
    }
  }
}
