import BackupDevice
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// The parts of a golden file that do not describe acts of iOS.
@Suite struct GoldenFormTests {
  private static let steps = ["{ save: 'Documents/a', size: 1000 }", "{ backup: 'a' }"]

  /// Records a golden file, changes its text, and runs the scenario again. Returns the result and
  /// the text after the run.
  private func result(
    _ mode: RecordMode = .never, of other: String = "", _ change: (String) -> String
  ) async throws -> (result: ScenarioResult, text: String) {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(Self.steps, other)
    #expect(try await Trial.result(scenario, goldens: store).verdict == .recorded)
    try folder.write(change(try folder.text(of: "trial.golden")), to: "trial.golden")
    let result = try await Trial.result(scenario, mode, goldens: store)
    return (result, try folder.text(of: "trial.golden"))
  }

  @Test func `the id is not compared, so a renamed pair of files passes`() async throws {
    let renamed = try await result { $0.replacing(": trial\n", with: ": a/former name\n") }
    #expect(renamed.result.verdict == .passed)
    #expect(renamed.text.hasPrefix("# golden 2: a/former name\n"))
    let recorded = try await result(.all) { $0.replacing(": trial\n", with: ": former\n") }
    #expect(recorded.text.hasPrefix("# golden 2: trial\n"))
  }

  @Test(arguments: [
    "", "# golden", "# golden x: trial", "# golden 2", "golden 2: trial", "# golden 0: a",
  ])
  func `a text without the first line of a golden file is an error`(first: String) async throws {
    let change = { (text: String) in first + text.dropFirst("# golden 2: trial".count) }
    let found = try await result(.never, change)
    #expect(found.result.verdict == .error)
    #expect(
      found.result.problems.first?.message.contains(
        "trial.golden:1: the golden file must begin with '# golden 2: ' and the scenario's id")
        == true)
    #expect(try await result(.failed, change).result.verdict == .recorded)
  }

  @Test func `a file of a later format is overwritten only by the record mode 'all'`() async throws
  {
    let change = { (text: String) in text.replacing("# golden 2", with: "# golden 3") }
    for mode in [RecordMode.never, .missing, .failed] {
      let (result, text) = try await result(mode, change)
      #expect(result.verdict == .error)
      #expect(
        result.problems.first?.message.contains(
          "has format 3, which a later version of the kit wrote") == true)
      #expect(text.hasPrefix("# golden 3"))
    }
    #expect(try await result(.all, change).text.hasPrefix("# golden 2"))
  }

  @Test(arguments: ["<<<<<<< HEAD", "=======", ">>>>>>> theirs", "||||||| base"])
  func `merge conflict markers are reported with their line`(marker: String) async throws {
    let found = try await result { $0.replacing("\nbackup", with: "\n\(marker)\nbackup") }
    #expect(found.result.verdict == .error)
    #expect(
      found.result.problems.first?.message.contains(
        "trial.golden:3: the golden file has merge conflict markers")
        == true)
  }

  @Test func `a system has its number only if the scenario names the number`() async throws {
    #expect(try await result { $0 }.text.contains("\nsystem newest, iCloud\n"))
    let text = try await result(of: "system: ['18', 'newest']") { $0 }.text
    #expect(text.contains("\nsystem iOS 18 and newest, iCloud\n"))
    let mergedRow = try await result(of: "system: ['newest', '16', '17', '18']") { $0 }.text
    #expect(mergedRow.contains("\nsystem iOS 16…18 and newest, iCloud\n"))
    let number = try #require(SystemProfile.newest?.version)
    let textWithNumber = try await result(of: "system: '\(number)'") { $0 }.text
    #expect(textWithNumber.contains("\nsystem iOS \(number), iCloud\n"))
  }

  @Test func `one byte is in the singular`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario([
      "{ createDirectory: 'Library/Caches/d' }", "{ save: 'Library/Caches/d/a', size: 1 }",
      "{ save: 'Documents/a', size: 1 }",
      "{ backup: 'a' }", "{ purge: 'lowStorage' }",
    ])
    #expect(try await Trial.result(scenario, goldens: store).verdict == .recorded)
    let text = try folder.text(of: "trial.golden")
    #expect(text.contains("backup \"a\": 1 file, 1 byte\n"))
    #expect(
      text.contains("purge lowStorage: 1 byte freed\n  purged  Library/Caches/d/  1 file, 1 byte\n")
    )
  }

  @Test func `a run on the newest system alone finds its section`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(Self.steps, "system: ['5.0', 'newest']")
    #expect(try await Trial.result(scenario, goldens: store).verdict == .recorded)
    let newest = try #require(SystemProfile.newest?.version)
    let result = try await Trial.result(scenario, .never, goldens: store, systems: [newest])
    #expect(result.verdict == .passed)
  }
}
