import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Reports an app that marks an item before the item exists.
///
/// A mark is an attribute of an item, so an app cannot set it in advance. Apps try this with `try?`
/// before their first save, and do not notice that their data is in every backup.
struct ExistsBeforeSetRule: Rule {
  let name = "exists-before-set"
  let sources: [SystemProfile.Source] = [.eidinger, .appleQA1719]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.mark) }
  var requirements: BrokenRequirements { .named(["mark.exists-before-set"]) }

  /// A failed attempt to mark an item that the app has not marked since then.
  struct Attempt: Hashable {
    let step: Scenario.StepReference
    let profile: SystemProfile
    var judgement = Judgement.pending
  }

  enum Judgement: Hashable {
    /// The item has not existed at a checkpoint yet.
    case pending
    /// The class of the item permits no mark, and the item is not critical. The attempt does no
    /// harm.
    case harmless
    case wrong
  }

  package func memory(at start: RunStart) -> [ContainerPath: Attempt] { [:] }

  func observe(
    _ event: ObservedEvent, _ attempts: inout [ContainerPath: Attempt], _ report: inout RuleReport
  ) {
    if case .markOnMissing(let path) = event.event {
      endAttempt(on: path, event, &attempts, &report)
      attempts[path] = Attempt(step: event.step, profile: event.profile)
    }
    guard !attempts.isEmpty else { return }
    for case .marked(let path, _) in event.changes {
      endAttempt(on: path, event, &attempts, &report)
    }
    guard let checkpoint = event.checkpoint else { return }
    let sortedAttempts = attempts.sorted {
      ($0.value.step.position.line, $0.key) < ($1.value.step.position.line, $1.key)
    }
    for (path, _) in sortedAttempts {
      if event.isEnd || checkpoint.tree.contains(path) { judge(path, event, &attempts, &report) }
      guard let attempt = attempts[path], attempt.judgement == .wrong else { continue }
      report.explain(.backedUp, path)
      if let label = checkpoint.backupLabel, checkpoint.currentView.backup?.contains(path) == true {
        add(attempt, on: path, event, &report, in: label)
      }
    }
  }

  /// Judges an attempt and forgets it, because the app has marked the item or tries again.
  private func endAttempt(
    on path: ContainerPath, _ event: ObservedEvent, _ attempts: inout [ContainerPath: Attempt],
    _ report: inout RuleReport
  ) {
    guard attempts[path] != nil else { return }
    judge(path, event, &attempts, &report)
    attempts[path] = nil
  }

  private func judge(
    _ path: ContainerPath, _ event: ObservedEvent, _ attempts: inout [ContainerPath: Attempt],
    _ report: inout RuleReport
  ) {
    guard let attempt = attempts[path], attempt.judgement == .pending else { return }
    let tree = event.checkpoint?.tree ?? FileTree()
    let isWrong =
      event.promisedClass(of: path) == .critical
      || event.permitsMark(on: path, in: tree, under: attempt.profile)
    attempts[path]?.judgement = isWrong ? .wrong : .harmless
    if isWrong { add(attempt, on: path, event, &report, in: nil) }
  }

  private func add(
    _ attempt: Attempt, on path: ContainerPath, _ event: ObservedEvent, _ report: inout RuleReport,
    in label: String?
  ) {
    let isCritical = event.promisedClass(of: path) == .critical
    report.add(
      self, at: attempt.step, on: path,
      "the app marks '\(path)', which does not exist: the call fails, and nothing is excluded "
        + "from backups",
      .sentence, in: label,
      advice: .text(
        isCritical
          ? "do not mark it: the user's own files belong in backups"
          : event.isBesideDatabase(path)
            ? IncompleteGroupRule.advice : Self.advice(on: path, attempt)),
      missingMark: isCritical ? [] : attempt.profile.markToSet)
  }

  private static func advice(on path: ContainerPath, _ attempt: Attempt) -> String {
    let order =
      "create or save the item first, then set \(attempt.profile.markToSet.nameInAdvice) on it"
    return "\(path)".contains("*")
      ? "name one item: a mark is set on a path, not on a pattern, and '*' is part of a name "
        + "here; \(order)"
      : order
  }
}
