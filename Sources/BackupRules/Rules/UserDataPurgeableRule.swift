import BackupDevice
import BackupFileTree
import BackupScenarios

/// Data that must last, in a place that the system may empty.
///
/// Library/Caches and tmp stay out of backups, so apps use them for what is large. But the system
/// empties them when space is short, and a user without a network is without the downloads.
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
    for file in checkpoint.files {
      guard let dataClass = file.dataClass,
        checkpoint.isFault({ takes(file.path, dataClass, in: $0) }),
        let step = event.facts.ledger.origin(of: file.path)
      else { continue }
      report.explain(.leftOut, file.path)
      report.add(
        self, at: step, on: file.path, identity: .item,
        "'\(file.path)' is \(dataClass.rawValue) data, but is in a place that the system may purge",
        advice: .text(dataClass.placeAdvice(for: file.path, on: checkpoint.profile)))
    }
  }

  /// Whether data must last, and the worst purge takes it.
  private func takes(
    _ path: ContainerPath, _ dataClass: DataClass, in view: Checkpoint.View
  ) -> Bool {
    lasts(dataClass, on: view.profile)
      && view.profile.purgeablePlaces(in: path.containerName).contains { $0.isAncestor(of: path) }
      && view.tree.contains(path) && !view.worstPurge.contains(path)
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
}
