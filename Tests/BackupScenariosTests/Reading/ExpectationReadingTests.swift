import BackupDevice
import BackupFileTree
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

@Suite struct `An expected finding` {
  /// Returns the mistakes in an expectation, which is the second line of a scenario with two steps.
  private func mistakes(_ expectation: String, launch: Int = 0) -> [String] {
    let start = Array(repeating: "{ remove: 'tmp/a' }", count: launch).joined(separator: ",")
    return Trial.mistakes(
      in: "{ title: 'T', launch: [\(start)], system: ['9', '18'], expect: [\n\(expectation)\n], "
        + "steps: [{ backup: 'a' }, { backup: 'b' }] }")
  }

  @Test func `is read with rule, step, path, systems and backups`() throws {
    let scenario = try Trial.scenario(
      ["{ backup: 'a' }"],
      """
      system: ['9', '18'], backups: ['local', 'iCloud'], launch: [{ remove: 'tmp/a' }],
      expect: [
        { rule: 'undeclared-item' },
        { rule: 'reapply-on-save', step: 1, path: 'tmp/a', system: '9', backups: ['iCloud'] },
        { rule: 'reapply-on-save', step: 'launch 1' },
      ]
      """)
    let (minimal, complete) = (scenario.expectations[0], scenario.expectations[1])
    #expect(
      minimal.step == nil && minimal.path == nil && minimal.systems == nil && minimal.backups == nil
    )
    #expect(complete.step == .step(1) && complete.path?.description == "tmp/a")
    #expect(complete.systems?.map(\.description) == ["9"] && complete.backups == [.iCloud])
    #expect(scenario.expectations[2].step == .launch(1))
    #expect(scenario.variants.filter(complete.applies).map(\.description) == ["iOS 9, iCloud"])
    #expect(scenario.variants.allSatisfy(minimal.applies))
  }

  @Test func `the newest system is one that an expectation can name, by either name`() throws {
    for (file, finding) in [
      ("", "newest"), ("", Trial.newest), ("system: ['18', 'newest'],", "newest"),
      ("system: ['18', '\(Trial.newest)'],", "newest"),
    ] {
      let scenario = try Trial.scenario(
        ["{ backup: 'a' }"],
        "\(file) expect: [{ rule: 'undeclared-item', system: '\(finding)' }]")
      #expect(scenario.expectations[0].systems?.map(\.description) == [Trial.newest])
    }
  }

  @Test(
    arguments: [
      ("{}", "2:1: 'rule' is missing; expected the name of a rule"),
      (
        "{ rule: 'undeclared-item', step: 3 }", "2:34: there is no step 3; the scenario has 2 steps"
      ),
      (
        "{ rule: 'undeclared-item', step: 0 }", "2:34: there is no step 0; the scenario has 2 steps"
      ),
      ("{ rule: 'undeclared-item', step: 1.5 }", "2:34: expected a step's number, at least 1"),
      (
        "{ rule: 'undeclared-item', step: 'launch 1' }",
        "2:34: expected a step's number, at least "
          + "1"
      ),
      (
        "{ rule: 'undeclared-item', path: '' }",
        "2:34: the path '' is empty: name an item, such as 'Documents/notes.txt'"
      ),
      (
        "{ rule: 'undeclared-item', system: 17 }",
        "2:36: the scenario does not run under iOS 17, only under iOS 9, iOS 18"
      ),
      (
        "{ rule: 'undeclared-item', backups: 'local' }",
        "2:37: the scenario does not run under local, only under iCloud"
      ),
      (
        "{ rule: 'undeclared-item', line: 3 }",
        "2:28: unknown key 'line'; expected one of rule, severity, step, path, system, backups"
      ),
      (
        "7",
        "2:1: expected a finding such as { rule: \"reapply-on-save\", step: 5, path: \"…\" }, "
          + "found a number"
      ),
    ])
  func `that is impossible is a mistake`(expectation: String, mistake: String) {
    #expect(mistakes(expectation) == [mistake])
  }

  @Test func `with a wrong system lists each system of the scenario only once`() {
    let mistakes = Trial.mistakes(
      in: "{ title: 'T', steps: [], system: ['9', '18', '9'],\n"
        + "expect: [{ rule: 'undeclared-item', system: 17 }] }")
    #expect(
      mistakes == [
        "1:46: this system appears twice; keep one",
        "2:45: the scenario does not run under iOS 17, only under iOS 9, iOS 18",
      ])
  }

  @Test func `can name only an existing launch step`() {
    let text = "{ rule: 'undeclared-item', step: 'launch 3' }"
    #expect(
      mistakes(text, launch: 2)
        == ["2:34: expected a step's number, at least 1, or \"launch 1\" up to \"launch 2\""])
    #expect(
      mistakes(text, launch: 1) == ["2:34: expected a step's number, at least 1, or \"launch 1\""])
    #expect(mistakes(text, launch: 3).isEmpty)
  }

  @Test func `may have a severity`() throws {
    let other = ["error", "warning", "advice"]
      .map { "{ rule: 'undeclared-item', severity: '\($0)' }" }.joined(separator: ", ")
    let scenario = try Trial.scenario(["{ backup: 'a' }"], "expect: [\(other)]")
    #expect(scenario.expectations.map(\.severity) == [.error, .warning, .advice])
    #expect(
      mistakes("{ rule: 'undeclared-item', severity: 'eror' }") == [
        "2:38: unknown severity 'eror'; did you mean 'error'? (expected one of error, warning, "
          + "advice)"
      ])
  }

  @Test func `with an unknown rule names the nearest`() throws {
    let mistake = try #require(mistakes("{ rule: 'reaply-on-save' }").first)
    #expect(mistake.contains("did you mean 'reapply-on-save'?"))
  }

  @Test func `adds no mistake if the steps cannot be read`() {
    let mistakes = Trial.mistakes(
      in: "{ title: 'T', expect: [{ rule: 'undeclared-item', step: 5 }] }")
    #expect(mistakes == ["1:1: 'steps' is missing; expected a list of steps"])
    let launch = Trial.mistakes(
      in: "{ title: 'T', steps: [], launch: {}, "
        + "expect: [{ rule: 'undeclared-item', step: 'launch 2' }] }")
    #expect(launch == ["1:34: expected a list of steps, found an object"])
  }
}
