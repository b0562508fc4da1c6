import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupReports
@testable import BackupScenarios
@testable import BackupVerdicts

extension `A golden text that differs` {
  @Test(arguments: ["{ exclude: 'tmp/none' }", "{ remove: 'Documents/none' }"])
  func `is removed by a run that must not be recorded`(step: String) async throws {
    try await run(size: 1)
    try await run(size: 2)
    try await run(size: 3, .missing, [step])
    #expect(try folder.names() == ["trial.golden"])
  }

  @Test func `is not changed by a run on some of the systems`() async throws {
    let systems = "system: ['6', '26']"
    try await run(size: 1, .missing, [], systems)
    try await run(size: 2, .missing, [], systems)
    let leftText = try folder.text(of: Self.new)
    let newestSystem: Set<SystemVersion> = [try #require(SystemVersion("26"))]
    for size in [1, 3] {
      try await run(size: size, .missing, [], systems, systems: newestSystem)
      #expect(try folder.text(of: Self.new) == leftText)
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
        "do: if the difference is intended, fix this error, run again, and accept the change with "
          + "'backup-testing review'; or record it with --record failed scenario.json5",
      ])
    #expect(try await run(size: 1).verdict == .passed)
    #expect(try folder.text(of: "trial.golden") == former)
    #expect(!folder.exists("../made"))
    #expect(try store.pendingIDs() == ["trial"])
    #expect(throws: RunError(.unreadable, reason)) { try store.readPending("trial") }
    #expect(throws: RunError(.unwritable, reason)) { try store.reject("trial") }
    #expect(try folder.names().contains(Self.new))
  }

  @Test func `is accepted again if it was not removed`() async throws {
    try await run(size: 1)
    try await run(size: 2)
    let new = try folder.text(of: Self.new)
    try store.accept(try store.readPending("trial"))
    let golden = try folder.text(of: "trial.golden")
    try folder.write(new, to: Self.new)
    let pending = try store.readPending("trial")
    #expect(pending.summary == "the golden file has this text already")
    try store.accept(pending)
    #expect(try folder.names() == ["trial.golden"])
    #expect(try folder.text(of: "trial.golden") == golden)
    try folder.write(new.replacing(" by ", with: " by 1"), to: Self.new)
    #expect(throws: RunError.self) { try store.readPending("trial") }
  }

  @Test func `is left in the folder for new texts, which leads nowhere else`() async throws {
    try await run(size: 1)
    let newTextFolder = try TestFolder()
    let storeForNewTexts = store.leavingNewTexts(in: newTextFolder.path)
    let subfolder = "_root\(folder.url("").standardizedFileURL.path)"
    let result = try await run(size: 2, in: storeForNewTexts)
    #expect(
      result.problems.first?.details.dropLast().last?.hasSuffix(
        "accept trial --golden \(folder.path) --pending \(newTextFolder.path)") == true)
    #expect(try folder.names() == ["trial.golden"])
    #expect(newTextFolder.files(in: "") == ["\(subfolder)/trial.golden.new"])
    let storeWithRelativePath = GoldenStore(folder: "Golden").leavingNewTexts(
      in: newTextFolder.path)
    #expect(
      storeWithRelativePath.newTextPath(of: "trial")
        == "\(newTextFolder.path)/Golden/trial.golden.new")
    #expect(try storeWithRelativePath.pendingIDs() == [])
    try storeForNewTexts.accept(try storeForNewTexts.readPending("trial"))
    #expect(try await run(size: 2, in: storeForNewTexts).verdict == .passed)
    #expect(newTextFolder.files(in: "") == [])

    // A link to a folder elsewhere that has a file of the same name.
    let elsewhere = try TestFolder([Self.new: "theirs"])
    try FileManager.default.removeItem(at: newTextFolder.url(subfolder))
    try FileManager.default.createSymbolicLink(
      atPath: newTextFolder.url(subfolder).path, withDestinationPath: elsewhere.path)
    let escape =
      "\(newTextFolder.path)/\(subfolder): this link leads out of \(newTextFolder.path), but new golden"
    #expect(
      try await run(size: 3, in: storeForNewTexts).problems.first?.details.contains {
        $0.hasPrefix("the new text does not wait for a review: \(escape)")
      } == true)
    let passed = try await run(size: 2, in: storeForNewTexts)
    #expect(passed.verdict == .passed)
    #expect(
      passed.problems.map(\.message).first?.hasPrefix(
        "the new golden text of an earlier run is out of date, but \(escape)"
      )
        == true)
    #expect(throws: RunError.self) { try storeForNewTexts.readPending("trial") }
    #expect(try elsewhere.text(of: Self.new) == "theirs")
  }

  @Test func `is not accepted if the golden file has changed since`() async throws {
    try await run(size: 1)
    try await run(size: 2)
    let pending = try store.readPending("trial")
    for text in ["# golden 2: trial\n", nil] {
      if let text {
        try folder.write(text, to: "trial.golden")
      } else {
        try FileManager.default.removeItem(at: folder.url("trial.golden"))
      }
      let error = try #require(throws: RunError.self) { try store.accept(pending) }
      #expect(
        error.description
          == "\(folder.path)/\(Self.new): this file or \(folder.path)/trial.golden has changed since the "
          + "run; run the scenario again, or reject 'trial'")
      #expect((try? folder.text(of: "trial.golden")) == text)
    }
  }

  @Test(arguments: ["# golden 2: other\n", "garbage\n", ""])
  func `is not accepted if it was changed by hand`(text: String) async throws {
    try await run(size: 1)
    try await run(size: 2)
    let new = try folder.text(of: Self.new)
    let end = try #require(new.range(of: "# golden 2: trial\n"))
    try folder.write(
      String(new[..<(text.hasPrefix("# ") ? end.lowerBound : end.upperBound)]) + text, to: Self.new)
    let error = try #require(throws: RunError.self) { try store.readPending("trial") }
    #expect(error.description.contains("has changed since the run"))
  }

  @Test func `is not accepted if another run has replaced it during the review`() async throws {
    try await run(size: 1)
    try await run(size: 2)
    let pending = try store.readPending("trial")
    try await run(size: 3)
    let error = try #require(throws: RunError.self) { try store.accept(pending) }
    #expect(error.description.hasSuffix("this has changed during the review; review it again"))
  }

  @Test(
    arguments: [
      ("", "the kit did not write this file"), ("\n# golden 2: trial\n", "the kit did not write"),
      ("# golden 2: trial\n", "the kit did not write this file"),
      ("# new golden 2: trial\r\n", "the kit did not write this file"),
      ("# new golden 3: trial\n# golden 3: trial\n", "a later version of the kit wrote"),
      ("# new golden 2: trial\n# golden 2: trial\n", "has changed since the run"),
      ("# new golden 2: trial\n# replaces HASH\n# golden 3: trial\n", "has format 3"),
      ("# new golden 2: trial\n# replaces HASH\n# golden 2: trial\n<<<<<<< x\n", "merge conflict"),
    ])
  func `is not accepted if the kit did not write it, or cannot read it`(
    text: String, reason: String
  ) async throws {
    try await run(size: 1)
    try await run(size: 2)
    let hash = try folder.text(of: Self.new).split(separator: "\n")[1].dropFirst(11)
    try folder.write(text.replacing("HASH", with: hash), to: Self.new)
    let error = try #require(throws: RunError.self) { try store.readPending("trial") }
    #expect(error.description.contains(reason), "\(error)")
    #expect(error.description.hasPrefix("\(folder.path)/\(Self.new)"))
  }

  @Test func `has commands that name its folder relative to the working directory`() {
    #expect(GoldenStore(folder: "Golden").command("review") == "swift run backup-testing review")
    #expect(
      GoldenStore(folder: "Tests/My Golden").command("accept", "a b")
        == "swift run backup-testing accept 'a b' --golden 'Tests/My Golden'")
    #expect(
      GoldenStore(folder: "/other/Golden").command("review")
        == "swift run backup-testing review --golden /other/Golden")
  }
}
