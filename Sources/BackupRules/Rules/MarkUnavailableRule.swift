import BackupCollections
import BackupDevice
import BackupScenarios

/// A marking way that the system does not have.
///
/// The resource value came with iOS 5.1; on an earlier system setting it is an error. An app that
/// still runs there has to ask for the system, or to catch the error and do otherwise.
struct MarkUnavailableRule: Rule {
  let name = "mark-unavailable"
  let severity = Scenario.Severity.error
  let summary = "a marking way that the system does not have"
  let subjects: [SystemProfile.Subject] = [.systems]
  let sources: [SystemProfile.Source] = [.appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for (index, entry) in history.indexedEntries {
      guard case .markUnavailable(let path, let mark) = entry.event,
        history.canBeHelpedByMark(path, in: entry.tree, on: entry.profile)
      else { continue }
      let profile = entry.profile
      let instead =
        profile.honouredMarks.value.isEmpty
        ? "keep the data in Library/Caches on this system"
        : "set \(profile.markToSet.wayToSet) there"
      let next = history.moment(after: index)
      let later = history.moments[next...].partitioningIndex {
        $0.profile.availableMarks.value.contains(mark)
      }
      findings.add(
        self, at: entry.step, on: path,
        "iOS \(profile.version) has no \(mark) to mark '\(path)' with",
        advice:
          "check for the system or catch the error, and \(instead); in a scenario, 'on' names "
          + "the systems that a step is for",
        accountsFor: [.backedUp(path, during: next..<later)])
    }
  }
}
