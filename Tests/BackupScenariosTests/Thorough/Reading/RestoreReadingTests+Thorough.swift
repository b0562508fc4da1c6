import Testing
import TrialSupport

@testable import BackupScenarios

extension `A restore of a backup that is never taken` {
  @Test func `names the nearest label only until too many labels were compared`() {
    let label = String(repeating: "l", count: 60)
    let backups = (0..<900).map { "{ backup: '\(label)\($0)' }" }
    let restores = (0..<ScenarioReader.maximumMistakeCount).map { "{ restore: '\(label)x\($0)' }" }
    let advice = mistakes(backups + restores).map { $0.contains("did you mean") }
    #expect(advice.count == restores.count)
    let first = advice.prefix { $0 }
    #expect(!first.isEmpty && first.count < 10 && !advice.dropFirst(first.count).contains(true))
  }
}
