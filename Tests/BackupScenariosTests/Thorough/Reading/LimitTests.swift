import BackupDiagnostics
import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A scenario file` {
  @Test func `nests as deep as the limit and no deeper`() {
    let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    let mistakes = Trial.mistakes(in: "{ title: 'T', steps: \(deep) }")
    #expect(
      mistakes.count == 1
        && mistakes.allSatisfy {
          $0.contains(
            "at most 128; nest less deeply")
        })
  }

  @Test func `of invalid UTF-8 is refused at the byte`() {
    let bytes = Array("{ title: 'T',\n steps: '".utf8) + [0xFF] + Array("' }".utf8)
    let mistakes = Trial.mistakes(in: bytes)
    #expect(mistakes.count == 1 && mistakes.allSatisfy { $0.hasPrefix("2:10: ") })
  }

  @Test func `with nothing in it is refused`() {
    #expect(Trial.mistakes(in: "").count == 1)
    #expect(Trial.mistakes(in: "\0").count == 1)
  }

  @Test func `keeps names that look alike apart`() throws {
    let steps = try Trial.scenario([
      "{ save: 'Documents/\\u00e9', size: 1 }", "{ save: 'Documents/e\\u0301', size: 1 }",
    ]).steps
    let paths = steps.compactMap(\.action.pathIfRepeatable)
    #expect(paths.count == 2 && Set(paths).count == 2)
  }

  @Test(arguments: ["👩‍👩‍👧", "日本", "\u{202E}abc", "a\\nb", "\u{FEFF}x", "-", "*", " "])
  func `accepts any file name`(name: String) throws {
    let step = try #require(try Trial.scenario(["{ save: 'tmp/\(name)', size: 1 }"]).steps.first)
    #expect(!step.reference.summary.contains { $0.isNewline })
    #expect(!step.reference.summary.unicodeScalars.contains("\u{202E}"))
  }
}

@Suite struct `Launch steps` {
  @Test func `are app steps or assertions on files`() {
    let text = "{ title: 'T', steps: [], launch: [{ relaunch: {} }, { remove: 'tmp/a' }] }"
    #expect(
      Trial.mistakes(in: text) == [
        "1:35: 'relaunch' is a step of the system, and 'launch' can only have steps of the app; "
          + "move it to 'steps'"
      ])
  }

  @Test func `have numbers of their own`() throws {
    let scenario = try Trial.scenario(
      ["{ backup: 'a' }"], "launch: [{ remove: 'tmp/a' }, { remove: 'tmp/b' }]")
    #expect(scenario.launch.map(\.reference.number) == [.launch(1), .launch(2)])
    #expect(scenario.launch.map(\.reference.number.description) == ["launch 1", "launch 2"])
    #expect(scenario.launch.first?.reference.description == "launch step 1")
  }
}
