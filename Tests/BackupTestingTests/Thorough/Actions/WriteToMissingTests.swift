import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Code that saves into a missing directory breaks a rule, and does not end the run.
@Suite struct WriteToMissingTests {
  /// Runs an action. Returns the findings and the failure of the run.
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
  func `a file saved into a missing directory is found`(
    _ options: Data.WritingOptions
  ) async throws {
    let (findings, failure) = try await run { action in
      try Data().write(to: action.container.poster, options: options)
    }
    #expect(failure == nil)
    #expect(findings.map(\.rule) == ["exists-before-use"])
    #expect(findings.first?.path?.string == "Library/Caches/Posters")
  }

  @Test func `a file moved or copied into a missing directory is found`() async throws {
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

  @Test func `a missing file opened for writing is found`() async throws {
    let (findings, _) = try await run { action in
      let file = action.container.documents.appendingPathComponent("log.txt")
      try FileHandle(forWritingTo: file).close()
    }
    #expect(findings.map(\.path?.string) == ["Documents/log.txt"])
  }

  @Test(arguments: ["critical", "offline"])
  func `a file that was lost because of its mark is found, unless it is the user's own`(
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

  @Test func `a missing file opened for reading is found by the error code of Apple's Foundation`()
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

  @Test func `an app that handles the error is right`() async throws {
    let step = #"{ perform: "save", throws: "noSuchFile" }"#
    let (findings, failure) = try await run(step) { action in
      try Data().write(to: action.container.poster)
    }
    #expect(failure == nil)
    #expect(findings.isEmpty)
  }

  @Test
  func `an error about an existing file, or about one outside of the container, ends the run`()
    async throws
  {
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
  /// A poster in a directory that the app has to create.
  fileprivate var poster: URL { caches.appendingPathComponent("Posters/small/1.jpg") }
}
