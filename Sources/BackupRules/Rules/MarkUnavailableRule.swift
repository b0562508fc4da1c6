import BackupContainer
import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports an app that sets a mark which this version of iOS does not have.
///
/// The resource value came with iOS 5.1. On an earlier version, setting it is an error. An app that
/// runs there must check the version, or catch the error and do without the mark.
struct MarkUnavailableRule: Rule {
  let name = "mark-unavailable"
  let sources: [SystemProfile.Source] = [.appleQA1719]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.mark) }

  package func memory(at start: RunStart) -> [ContainerPath: ExclusionMark] { [:] }

  /// Judges an event. `unavailableMarks` has the items that the app could not mark, until an update
  /// of iOS brings the mark.
  func observe(
    _ event: ObservedEvent, _ unavailableMarks: inout [ContainerPath: ExclusionMark],
    _ report: inout RuleReport
  ) {
    if let checkpoint = event.checkpoint, !unavailableMarks.isEmpty {
      unavailableMarks = unavailableMarks.filter {
        !checkpoint.profile.availableMarks.value.contains($0.value)
      }
      for path in unavailableMarks.keys { report.explain(.backedUp, path) }
    }
    guard case .markUnavailable(let path, let mark) = event.event,
      event.permitsMark(on: path, in: event.tree, under: event.profile)
    else { return }
    let profile = event.profile
    let fallback =
      profile.honouredMarks.value.isEmpty
      ? "keep the data in Library/Caches on this system"
      : "set \(profile.markToSet.nameInAdvice) there"
    report.add(
      self, at: event.step, on: path,
      "iOS \(profile.version) has no \(mark) to mark '\(path)' with",
      advice: .text(
        "check the version of iOS or catch the error, and \(fallback); in a scenario, 'on' names "
          + "the versions that a step is for"))
    unavailableMarks[path] = mark
  }
}
