import Testing
import TrialSupport

/// Steps that are impossible at their position are mistakes in the file.
@Suite struct StepOrderTests {
  /// Returns the mistakes in steps. The first step is on the second line, and each step has its own
  /// line.
  private func mistakes(_ steps: [String], _ other: String = "") -> [String] {
    let list = steps.map { "\($0),\n" }.joined()
    return Trial.mistakes(in: "{ title: 'T', steps: [\n\(list)], \(other) }")
  }

  /// The message for an assertion without a backup.
  private let noBackup = "there is no backup yet; put a 'backup' step before this one"

  @Test(arguments: ["9", "18"])
  func `an update to a version that is not later is a mistake`(later: String) {
    #expect(
      mistakes(["{ backup: 'b' }", "{ updateSystem: '\(later)' }"], "system: '18'")
        == ["3:1: the device already has iOS 18 at this step; name a later version"])
  }

  @Test func `an update to a version that is not later in one of the runs is a mistake`() {
    let step = ["{ updateSystem: '18' }"]
    #expect(mistakes(step, "system: ['9', '10']") == [])
    #expect(
      mistakes(step, "system: ['9', '26']") == [
        "2:1: in the run under iOS 26 the device already has iOS 26 at this step; name a later "
          + "version"
      ])
  }

  @Test func `an update to a version that is not later than an earlier update is a mistake`() {
    let steps = ["{ updateSystem: '18' }", "{ updateSystem: '10' }", "{ updateSystem: '26' }"]
    #expect(
      mistakes(steps, "system: ['5.0', '9']") == [
        "3:1: in the run under iOS 5.0 the device already has iOS 18 at this step; name a later "
          + "version"
      ])
  }

  @Test func `a scenario without 'system' runs under the newest system`() {
    #expect(mistakes(["{ updateSystem: 'newest' }"]).count == 1)
    #expect(mistakes(["{ updateSystem: 'newest' }"], "system: '26'") == [])
  }

  @Test func `an assertion on a backup before the first backup is a mistake`() {
    let check = "{ expectBackup: { lacks: ['tmp'] } }"
    #expect(mistakes([check, "{ backup: 'a' }", check]) == ["2:1: \(noBackup)"])
    #expect(mistakes(["{ backup: 'a' }", check]) == [])
  }

  @Test(arguments: ["{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }"])
  func `an assertion in 'launch' is a mistake if the app starts before the first backup`(
    start: String
  ) {
    let launch = "launch: [\n{ expectBackup: { lacks: ['tmp'] } } ]"
    #expect(mistakes([start, "{ backup: 'a' }"], launch) == ["5:1: \(noBackup)"])
    #expect(mistakes(["{ backup: 'a' }", start], launch) == [])
    #expect(mistakes(["{ purge: 'idle' }"], launch) == [])
  }

  @Test func `the order is not checked after a step that cannot be read`() {
    let steps = ["{ bakcup: 'a' }", "{ expectBackup: { lacks: ['tmp'] } }"]
    #expect(mistakes(steps).count == 1)
    #expect(mistakes(["{ updateSystem: '4' }", "{ updateSystem: '9' }"]).count == 1)
  }
}
