import Testing
import TrialSupport

/// Mistakes in the key `on`, and in steps that lack something in some runs because of this key.
@Suite struct StepSystemsReadingTests {
  /// Returns the mistakes in steps. The first step is on the second line, and each step has its own
  /// line.
  private func mistakes(_ steps: [String], _ other: String = "system: ['5.0', '18']") -> [String] {
    let list = steps.map { "\($0),\n" }.joined()
    return Trial.mistakes(in: "{ title: 'T', \(other), steps: [\n\(list)] }")
  }

  @Test func `a system that the device never has is named, with those that it has`() {
    #expect(
      mistakes(["{ save: 'a', size: 1, on: ['5.0', '9'] }"])
        == ["2:23: the device never has iOS 9 at this step, only iOS 5.0, iOS 18"])
    #expect(mistakes(["{ save: 'a', size: 1, on: ['5.0', '18'] }"]) == [])
  }

  @Test func `'on' can name only the new system after an update`() {
    let update = "{ updateSystem: '26' }"
    #expect(mistakes([update, "{ relaunch: {}, on: '26' }"]) == [])
    #expect(
      mistakes([update, "{ relaunch: {}, on: '18' }"])
        == ["3:17: the device never has iOS 18 at this step, only iOS 26"])
    #expect(mistakes(["{ relaunch: {}, on: '26' }", update]).count == 1)
  }

  @Test func `an update with 'on' affects only its own runs`() {
    let steps = ["{ updateSystem: '9', on: '5.0' }", "{ relaunch: {}, on: ['9', '18'] }"]
    #expect(mistakes(steps) == [])
    #expect(
      mistakes(["{ updateSystem: '9' }"]) == [
        "2:1: in the run under iOS 18 the device already has iOS 18 at this step; name a later "
          + "version"
      ])
  }

  @Test func `'on' of a launch step can name any system that the device ever has`() {
    let launch = "system: ['5.0', '18'], launch: [{ save: 'a', size: 1, on: # }]"
    let update = "{ updateSystem: '26' }"
    for system in ["'5.0'", "'18'", "'26'"] {
      let other = launch.replacing("#", with: system)
      #expect(mistakes([update, "{ relaunch: {} }"], other) == [])
    }
    let mistakes = mistakes([update], launch.replacing("#", with: "'27'"))
    #expect(mistakes.first?.contains("the device never has iOS 27") == true)
  }

  @Test func `a restore needs its backup in each run that performs it`() {
    let backup = "{ backup: 'a', on: '18' }"
    #expect(
      mistakes([backup, "{ restore: 'a' }"]) == [
        "3:1: in the run under iOS 5.0 no backup \"a\" is taken before this step; the step that "
          + "takes it is skipped because of its 'on' or 'app'"
      ])
    #expect(mistakes([backup, "{ restore: 'a', on: '18' }"]) == [])
  }

  @Test func `an assertion on a backup needs a backup in each run that performs it`() {
    let assertion = "{ expectBackup: { lacks: ['a'] } }"
    #expect(
      mistakes(["{ backup: 'a', on: '5.0' }", assertion]) == [
        "3:1: in the run under iOS 18 there is no backup yet; put a 'backup' step before this one"
      ])
    #expect(
      mistakes(["{ backup: 'a', on: '5.0' }", "{ expectBackup: { lacks: ['a'] }, on: '5.0' }"])
        == [])
  }

  @Test func `an assertion in 'launch' needs a backup if the app starts under its system`() {
    let launch = "system: ['5.0', '18'], launch: [{ expectBackup: { lacks: ['a'] }, on: '18' }]"
    #expect(mistakes(["{ relaunch: {}, on: '5.0' }", "{ backup: 'a' }"], launch) == [])
    #expect(mistakes(["{ relaunch: {}, on: '18' }", "{ backup: 'a' }"], launch).count == 1)
  }

  @Test func `'on' is not checked if the systems of the scenario cannot be read`() {
    #expect(mistakes(["{ relaunch: {}, on: '9' }"], "system: '4'").count == 1)
  }

  @Test func `a system that appears twice is a mistake`() {
    #expect(
      mistakes(["{ relaunch: {}, on: ['5', '5.0'] }"])
        == ["2:27: this system appears twice; keep one"])
  }
}
