import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Code that saves where no directory is has not checked; the rule says so, not a broken-off run.
@Suite struct WriteToMissingTests {
  /// What the rules find in an action, and why the run broke off.
  private func run(
    _ step: String = #"{ perform: "save" }"#, _ code: @escaping AppActions.Code
  ) async throws -> (findings: [Scenario.Finding], failure: String?) {
    let scenario = try Scenario(text: "{ title: \"One action\", steps: [\(step)] }")
    var actions = AppActions()
    actions.bind("save", code)
    let runner = ScenarioRunner(actions: actions)
    let transcript = try await runner.run(scenario, scenario.variants[0])
    return (RuleList.findings(in: transcript), transcript.failure?.message)
  }

  @Test(arguments: [[], Data.WritingOptions.atomic])
  func `a file saved into a directory that is not there`(
    _ options: Data.WritingOptions
  ) async throws {
    let (findings, failure) = try await run { action in
      try Data().write(to: action.container.poster, options: options)
    }
    #expect(failure == nil)
    #expect(findings.map(\.rule) == ["exists-before-use"])
    #expect(findings.first?.path?.string == "Library/Caches/Posters")
  }

  @Test func `a file moved or copied into a directory that is not there`() async throws {
    for isMoved in [true, false] {
      let (findings, failure) = try await run { action in
        let new = action.container.temporary.appendingPathComponent("new")
        try Data().write(to: new)
        let poster = action.container.poster
        if isMoved {
          try FileManager.default.moveItem(at: new, to: poster)
        } else {
          try FileManager.default.copyItem(at: new, to: poster)
        }
      }
      #expect(failure == nil)
      #expect(findings.map(\.path?.string) == ["Library/Caches/Posters"])
    }
  }

  @Test func `a missing file opened for writing`() async throws {
    let (findings, _) = try await run { action in
      let file = action.container.documents.appendingPathComponent("log.txt")
      try FileHandle(forWritingTo: file).close()
    }
    #expect(findings.map(\.path?.string) == ["Documents/log.txt"])
  }

  @Test(arguments: ["critical", "offline"])
  func `one that its mark kept out of the backup, but not where it is the user's own`(
    dataClass: String
  ) async throws {
    let scenario = try Scenario(
      text: """
        {
          title: "A marked file is lost, then opened",
          files: { "Documents/**": "\(dataClass)" },
          steps: [
            { save: "Documents/log.txt", size: 1 }, { exclude: "Documents/log.txt" },
            { backup: "b" }, { restore: "b" }, { perform: "append" },
          ],
        }
        """)
    var actions = AppActions()
    actions.bind("append") { action in
      let file = action.container.documents.appendingPathComponent("log.txt")
      try FileHandle(forWritingTo: file).close()
    }
    let transcript = try await ScenarioRunner(actions: actions).run(scenario, scenario.variants[0])
    #expect(
      RuleList.findings(in: transcript).map(\.rule)
        == [dataClass == "critical" ? "user-data-excluded" : "exists-before-use"])
  }

  @Test func `a missing file opened for reading, with the code that Apple's Foundation has for it`()
    async throws
  {
    let (findings, failure) = try await run { action in
      let file = action.container.documents.appendingPathComponent("log.txt").path
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: file])
    }
    #expect(failure == nil)
    #expect(findings.map(\.path?.string) == ["Documents/log.txt"])
    #expect(findings.first?.message.contains("the app opens or writes to") == true)
    #expect(findings.first?.advice.contains("before a read, check") == true)
  }

  @Test func `an app that copes with the error is right`() async throws {
    let step = #"{ perform: "save", throws: "noSuchFile" }"#
    let (findings, failure) = try await run(step) { action in
      try Data().write(to: action.container.poster)
    }
    #expect(failure == nil)
    #expect(findings.isEmpty)
  }

  @Test func `an error about a file that is there, or outside, ends the run`() async throws {
    for path in ["/Documents", "/../elsewhere"] {
      let (findings, failure) = try await run { action in
        let name = action.container.url.path + path
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
      }
      #expect(failure != nil)
      #expect(findings.isEmpty)
    }
  }
}

extension FakeContainer.Locations {
  /// A poster in a directory that the app has to make.
  fileprivate var poster: URL { caches.appendingPathComponent("Posters/small/1.jpg") }
}
