import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupReports
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A golden text that differs` {
  private let folder: TestFolder
  private let store: GoldenStore

  private static let new = "trial.golden.new"

  init() throws {
    folder = try TestFolder()
    store = GoldenStore(folder: folder.path)
  }

  /// Runs a scenario that saves a file of this size.
  @discardableResult
  private func run(
    size: Int, _ mode: RecordMode = .missing, _ steps: [String] = [], _ other: String = "",
    systems: Set<SystemVersion>? = nil, leaves: Bool = true, in named: GoldenStore? = nil
  ) async throws -> ScenarioResult {
    var suite = ScenarioSuite(goldens: named ?? store, recordMode: mode)
    suite.leavesForReview = leaves
    suite.systems = systems
    let saves = ["{ save: 'Documents/a', size: \(size) }", "{ backup: 'b' }"]
    return try #require(await suite.run(try Trial.scenario(saves + steps, other)))
  }

  @Test func `is left below what the review needs, and the failure names the commands`()
    async throws
  {
    try await run(size: 1)
    let former = try folder.text(of: "trial.golden")
    let result = try await run(size: 2)
    #expect(result.verdict == .failed)
    #expect(
      result.problems.first?.details.suffix(2) == [
        "do: if this is intended, run: \(store.command("accept", "trial"))",
        "do: to review all changes, run: \(store.command("review"))",
      ])
    let lines = try folder.text(of: Self.new).split(separator: "\n")
    let end = try #require(lines.firstIndex(of: "# golden 1: trial"))
    #expect(lines[0] == "# new golden 1: trial")
    #expect(lines[2] == "# scenario scenario.json5")
    #expect(
      lines[3..<end] == [
        "# why: step 2: Documents/a has its size since step 1 (line 2), save Documents/a"
      ])
    #expect(lines[end...].map { "\($0)\n" }.joined() == result.actualGolden)
    #expect(try folder.text(of: "trial.golden") == former)
    #expect(try store.orphans(besides: ["trial"]) == [])
  }

  @Test func `is not left on CI, where the failure says how to record`() async throws {
    try await run(size: 1)
    let result = try await run(size: 2, leaves: false)
    #expect(try folder.names() == ["trial.golden"])
    #expect(
      result.problems.first?.details.last
        == "do: if this is intended, run it again where CI is not set, and accept the change with "
        + "'backup-testing review'; or record it with --record failed scenario.json5")
  }

  @Test func `is removed by a run that is as the golden file, or records it`() async throws {
    try await run(size: 1)
    for (size, mode) in [(1, RecordMode.missing), (2, .failed)] {
      try await run(size: 3)
      #expect(folder.exists(Self.new))
      try await run(size: size, mode)
      #expect(!folder.exists(Self.new))
    }
  }

  @Test(arguments: ["{ exclude: 'tmp/none' }", "{ remove: 'Documents/none' }"])
  func `is removed by a run that is no example to record`(step: String) async throws {
    try await run(size: 1)
    try await run(size: 2)
    try await run(size: 3, .missing, [step])
    #expect(try folder.names() == ["trial.golden"])
  }

  @Test func `is not touched by a run of a part of the systems`() async throws {
    let systems = "system: ['6', '26']"
    try await run(size: 1, .missing, [], systems)
    try await run(size: 2, .missing, [], systems)
    let left = try folder.text(of: Self.new)
    let part: Set<SystemVersion> = [try #require(SystemVersion("26"))]
    for size in [1, 3] {
      try await run(size: size, .missing, [], systems, systems: part)
      #expect(try folder.text(of: Self.new) == left)
    }
  }

  @Test(arguments: ["trial.golden", "../made", "folder", "pipe"])
  func `does not follow a link, or replace a folder`(target: String) async throws {
    try await run(size: 1)
    let former = try folder.text(of: "trial.golden")
    if target == "folder" {
      try folder.makeFolder(Self.new)
    } else if target == "pipe" {
      #expect(mkfifo(folder.url(Self.new).path, 0o600) == 0)
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: folder.url(Self.new).path, withDestinationPath: target)
    }
    let result = try await run(size: 2)
    let kind = ["folder", "pipe"].contains(target) ? target : "link"
    let reason = "\(folder.path)/\(Self.new): this is a \(kind), not a file; remove it"
    #expect(
      result.problems.first?.details.suffix(2) == [
        "the new text does not wait for a review: \(reason)",
        "do: if the difference is intended, correct this, run it again, and accept the change with "
          + "'backup-testing review'; or record it with --record failed scenario.json5",
      ])
    #expect(try await run(size: 1).verdict == .passed)
    #expect(try folder.text(of: "trial.golden") == former)
    #expect(!folder.exists("../made"))
    #expect(try store.pendingIDs() == ["trial"])
    #expect(throws: RunError(.unreadable, reason)) { try store.pending("trial") }
    #expect(throws: RunError(.unwritable, reason)) { try store.reject("trial") }
    #expect(try folder.names().contains(Self.new))
  }

  @Test func `is accepted as it is`() async throws {
    try await run(size: 1)
    let text = try await run(size: 2).actualGolden
    #expect(try store.pendingIDs() == ["trial"])
    try store.accept(try store.pending("trial"))
    #expect(try folder.names() == ["trial.golden"])
    #expect(try folder.text(of: "trial.golden") == text)
    #expect(try await run(size: 2).verdict == .passed)
  }

  @Test func `is accepted again if its removal was missed`() async throws {
    try await run(size: 1)
    try await run(size: 2)
    let new = try folder.text(of: Self.new)
    try store.accept(try store.pending("trial"))
    let golden = try folder.text(of: "trial.golden")
    try folder.write(new, to: Self.new)
    let pending = try store.pending("trial")
    #expect(pending.summary == "the golden file has this text already")
    try store.accept(pending)
    #expect(try folder.names() == ["trial.golden"])
    #expect(try folder.text(of: "trial.golden") == golden)
    try folder.write(new.replacing(" by ", with: " by 1"), to: Self.new)
    #expect(throws: RunError.self) { try store.pending("trial") }
  }

  @Test func `is left in the folder for new texts, which leads nowhere else`() async throws {
    try await run(size: 1)
    let other = try TestFolder()
    let named = store.leavingNewTexts(in: other.path)
    let place = "_root\(folder.url("").standardizedFileURL.path)"
    let result = try await run(size: 2, in: named)
    #expect(
      result.problems.first?.details.dropLast().last?.hasSuffix(
        "accept trial --golden \(folder.path) --pending \(other.path)") == true)
    #expect(try folder.names() == ["trial.golden"])
    #expect(other.files(in: "") == ["\(place)/trial.golden.new"])
    let another = GoldenStore(folder: "Golden").leavingNewTexts(in: other.path)
    #expect(another.newPath(of: "trial") == "\(other.path)/Golden/trial.golden.new")
    #expect(try another.pendingIDs() == [])
    try named.accept(try named.pending("trial"))
    #expect(try await run(size: 2, in: named).verdict == .passed)
    #expect(other.files(in: "") == [])

    // A link to a folder elsewhere, with a file of the name.
    let elsewhere = try TestFolder([Self.new: "theirs"])
    try FileManager.default.removeItem(at: other.url(place))
    try FileManager.default.createSymbolicLink(
      atPath: other.url(place).path, withDestinationPath: elsewhere.path)
    let escape = "\(other.path)/\(place): this link leads out of \(other.path), but new golden"
    #expect(
      try await run(size: 3, in: named).problems.first?.details.contains {
        $0.hasPrefix("the new text does not wait for a review: \(escape)")
      } == true)
    let passed = try await run(size: 2, in: named)
    #expect(passed.verdict == .passed)
    #expect(
      passed.problems.map(\.message).first?.hasPrefix(
        "the golden text that an earlier run left does not wait for a review any more, but \(escape)"
      )
        == true)
    #expect(throws: RunError.self) { try named.pending("trial") }
    #expect(try elsewhere.text(of: Self.new) == "theirs")
  }

  @Test func `is rejected without a change of the golden file`() async throws {
    try await run(size: 1)
    let former = try folder.text(of: "trial.golden")
    try await run(size: 2)
    try store.reject("trial")
    #expect(try folder.names() == ["trial.golden"])
    #expect(try folder.text(of: "trial.golden") == former)
    let error = try #require(throws: RunError.self) { try store.reject("trial") }
    #expect(error.description.hasPrefix("'trial' has no change to review in \(folder.path); "))
  }

  @Test func `is not accepted if the golden file has changed since`() async throws {
    try await run(size: 1)
    try await run(size: 2)
    let pending = try store.pending("trial")
    for text in ["# golden 1: trial\n", nil] {
      if let text {
        try folder.write(text, to: "trial.golden")
      } else {
        try FileManager.default.removeItem(at: folder.url("trial.golden"))
      }
      let error = try #require(throws: RunError.self) { try store.accept(pending) }
      #expect(
        error.description
          == "\(folder.path)/\(Self.new): this or \(folder.path)/trial.golden has changed since the "
          + "run that wrote this; run the scenario again, or reject 'trial'")
      #expect((try? folder.text(of: "trial.golden")) == text)
    }
  }

  @Test(arguments: ["# golden 1: other\n", "garbage\n", ""])
  func `is not accepted if it was changed by hand`(text: String) async throws {
    try await run(size: 1)
    try await run(size: 2)
    let new = try folder.text(of: Self.new)
    let end = try #require(new.range(of: "# golden 1: trial\n"))
    try folder.write(
      String(new[..<(text.hasPrefix("# ") ? end.lowerBound : end.upperBound)]) + text, to: Self.new)
    let error = try #require(throws: RunError.self) { try store.pending("trial") }
    #expect(error.description.contains("has changed since the run that wrote this"))
  }

  @Test func `is not accepted if another run has replaced it during the review`() async throws {
    try await run(size: 1)
    try await run(size: 2)
    let pending = try store.pending("trial")
    try await run(size: 3)
    let error = try #require(throws: RunError.self) { try store.accept(pending) }
    #expect(error.description.hasSuffix("this has changed during the review; review it again"))
  }

  @Test(
    arguments: [
      ("", "the kit did not write this file"), ("\n# golden 1: trial\n", "the kit did not write"),
      ("# golden 1: trial\n", "the kit did not write this file"),
      ("# new golden 1: trial\r\n", "the kit did not write this file"),
      ("# new golden 2: trial\n# golden 1: trial\n", "a later version of the kit wrote"),
      ("# new golden 1: trial\n# golden 1: trial\n", "has changed since the run"),
      ("# new golden 1: trial\n# replaces HASH\n# golden 2: trial\n", "has format 2"),
      ("# new golden 1: trial\n# replaces HASH\n# golden 1: trial\n<<<<<<< x\n", "merge conflict"),
    ])
  func `is not accepted if the kit did not write it, or cannot read it`(
    text: String, reason: String
  ) async throws {
    try await run(size: 1)
    try await run(size: 2)
    let hash = try folder.text(of: Self.new).split(separator: "\n")[1].dropFirst(11)
    try folder.write(text.replacing("HASH", with: hash), to: Self.new)
    let error = try #require(throws: RunError.self) { try store.pending("trial") }
    #expect(error.description.contains(reason), "\(error)")
    #expect(error.description.hasPrefix("\(folder.path)/\(Self.new)"))
  }

  @Test func `names its folder from the working directory`() {
    #expect(GoldenStore(folder: "Golden").command("review") == "swift run backup-testing review")
    #expect(
      GoldenStore(folder: "Tests/My Golden").command("accept", "a b")
        == "swift run backup-testing accept 'a b' --golden 'Tests/My Golden'")
    #expect(
      GoldenStore(folder: "/other/Golden").command("review")
        == "swift run backup-testing review --golden /other/Golden")
  }
}

@Suite struct `Renamed items` {
  /// The difference of golden files with these lines in a step's section.
  private static func difference(
    _ golden: [String], _ actual: [String], step: String = "step 2 backup \"b\""
  ) throws -> LineDifference {
    let texts = [golden, actual].map { lines in
      let title = "\(step): \(lines.count.counted("file"))"
      return (["# golden 1: a", title] + lines).map { "\($0)\n" }.joined()
    }
    return try #require(LineDifference(golden: texts[0], actual: texts[1]))
  }

  @Test(
    arguments: [
      (["+ Movies/1.mp4  7"], ["+ Films/1.mp4  7"], ["renamed: Movies/1.mp4 → Films/1.mp4"], 0),
      (
        ["+ D/Movies/1.mp4  7", "+ D/Movies/2.mp4  7", "- D/Movies/3.mp4  own mark"],
        ["+ D/Films/1.mp4  7", "+ D/Films/2.mp4  7", "- D/Films/3.mp4  own mark"],
        ["renamed: Movies/ → Films/ (3 files)"], 0
      ),
      (["+ D/a  7"], ["+ D/b  7"], ["renamed: D/a → D/b"], 0),
      (["+ D/a  7"], ["+ D/b  8"], [], 2),
      (["+ D/a  7"], ["- D/b  own mark"], [], 2),
      (["- D/a  own mark"], ["- L/b  own mark"], [], 2),
      (["+ D/a  7", "+ D/b  7"], ["+ D/c  7", "+ D/d  7"], [], 4),
      (
        ["+ D/a  7", "+ D/b  7"], ["+ D/New/a  7", "+ D/New/b  7"],
        ["renamed: D/ → D/New/ (2 files)"], 0
      ),
      (
        ["+ A/1/x  7", "+ A/2/x  7", "+ A/2/y  7"], ["+ B/1/x  7", "+ B/2/x  7", "+ B/2/y  7"],
        ["renamed: A/ → B/ (3 files)"], 0
      ),
      (["+ a  7"], ["+ D/a  7"], ["renamed: a → D/a"], 0),
    ])
  func `are found by all that their lines say but the path`(
    golden: [String], actual: [String], lines: [String], rest: Int
  ) throws {
    let renamed = RenamedItems(in: try Self.difference(golden, actual))
    #expect(renamed.lines == lines)
    #expect(renamed.rest.count == rest)
  }

  @Test func `make changes of several files equal, as equal lines do`() throws {
    func change(_ golden: [String], _ actual: [String], step: String) throws -> GoldenChange {
      try Self.difference(golden, actual, step: step).change
    }
    let movies = try change(["+ D/Movies/1  7"], ["+ D/Films/1  7"], step: "step 1 backup \"a\"")
    #expect(
      try movies == change(["+ L/Movies/2  8"], ["+ L/Films/2  8"], step: "step 2 backup \"b\""))
    #expect(try movies != change(["+ D/Movies/1  7"], ["+ D/X/1  7"], step: "step 1 backup \"a\""))
    let added = try change(["+ a  1"], ["+ a  1", "+ new  1"], step: "step 1 backup \"a\"")
    #expect(
      try added
        == change(["+ b  1", "+ c  1"], ["+ b  1", "+ c  1", "+ new  1"], step: "step 3 restore"))
    #expect(try added != change(["+ a  1", "+ new  1"], ["+ a  1"], step: "step 1 backup \"a\""))
    #expect(added != movies)
    // An item that is in another backup than before is a change of its own.
    let moved = try #require(
      LineDifference(
        golden: "step 1 a\n+ s  1\nstep 2 b\n+ x  1\n",
        actual: "step 1 a\nstep 2 b\n+ s  1\n+ x  1\n+ new  1\n"))
    #expect(moved.change != added)
  }
}
