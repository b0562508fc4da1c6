import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Testing

@testable import BackupRules

struct RequirementReadingTests {
  @Test func `a made-up id is a mistake at its line, with the nearest known`() throws {
    let mistakes = try mistakes(
      """
      {
        title: "x",
        requirements: [
          "mark.exists-before-set",
          "mark.reaply-on-save",
        ],
        steps: [],
      }
      """)
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.position == SourcePosition(line: 5, column: 5))
    #expect(mistakes.first?.message.contains("'mark.reaply-on-save'") == true)
    #expect(mistakes.first?.message.contains("did you mean 'mark.reapply-on-save'?") == true)
    #expect(mistakes.first?.description.hasPrefix("scenario.json5:5:5: error: ") == true)
  }

  @Test func `the message on an id that resembles none says where to find the list`() throws {
    let mistakes = try mistakes("{ title: 'x', requirements: ['our-ticket-4711'], steps: [] }")
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.message.contains("did you mean") == false)
    #expect(mistakes.first?.message.contains("'backup-testing schema' lists them") == true)
  }

  @Test(arguments: ["", " ", ".", "mark.", "mark.reapply-on-save ", "Mark.reapply-on-save"])
  func `an id has to be written exactly`(_ id: String) throws {
    #expect(try mistakes("{ title: 'x', requirements: ['\(id)'], steps: [] }").count == 1)
  }

  @Test func `control characters of an id do not reach the message`() throws {
    let text = "{ title: 'x', requirements: ['a\\u001b[31m\\nb'], steps: [] }"
    let message = try #require(try mistakes(text).first?.message)
    #expect(!message.contains("\u{1B}") && !message.contains("\n"))
  }

  @Test func `a long id is shortened in the message`() throws {
    let id = String(repeating: "x", count: 100_000)
    let mistakes = try mistakes("{ title: 'x', requirements: ['\(id)'], steps: [] }")
    #expect(try #require(mistakes.first).message.count < 300)
  }

  @Test func `an id that stands twice is a mistake at the second`() throws {
    let text =
      "{ title: 'x', steps: [], requirements: [\n'backup.documents',\n'backup.documents'] }"
    let mistakes = try mistakes(text)
    #expect(mistakes.map(\.position) == [SourcePosition(line: 3, column: 1)])
    #expect(mistakes.first?.message.contains("twice") == true)
  }

  @Test func `all mistakes of a list are reported at once`() throws {
    let text = "{ title: 'x', requirements: ['a.b', 4, 'c.d'], steps: [] }"
    #expect(try mistakes(text).count == 3)
  }

  @Test func `anything but a list is a mistake`() throws {
    let mistakes = try mistakes("{ title: 'x', requirements: 'backup.documents', steps: [] }")
    #expect(mistakes.map(\.message) == ["expected a list of requirement ids, found a string"])
  }

  @Test func `each known id can be cited, and keeps its position`() throws {
    for id in Scenario.requirementIDs {
      let scenario = try Scenario(text: "{ title: 'x', requirements: ['\(id)'], steps: [] }")
      #expect(scenario.requirements.map(\.value) == [id])
      #expect(scenario.requirements.first?.position == SourcePosition(line: 1, column: 30))
    }
  }

  @Test func `citing is optional`() throws {
    #expect(try Scenario(text: "{ title: 'x', steps: [] }").requirements.isEmpty)
  }

  /// Returns the mistakes in a scenario's text.
  private func mistakes(_ text: String) throws -> [ScenarioDiagnostic] {
    let error = #expect(throws: RunError.self) { try Scenario(text: text) }
    return try #require(error).diagnostics
  }
}
