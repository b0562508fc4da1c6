import BackupContainer
import BackupDevice
import BackupRules
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupScenarios
@testable import BackupVerdicts

extension `Golden files are recorded` {
  @Test func `not from a run in which an action returned before its work was done`() async throws {
    let folder = try TestFolder()
    let result = try await result("", savesLater: true, in: folder)
    #expect(result.verdict == .failed)
    let problem = try #require(result.problems.first)
    #expect(result.problems.count == 1 && problem.position.line == 4)
    #expect(
      problem.message
        == "no golden file was written, because 'Documents/late' changed after the last "
        + "step, and step 3 (perform act) had changed nothing")
    #expect(problem.details.joined().contains("golden: { compare: false }"))
    #expect(try folder.names() == [])
    let uncompared = try await self.result(
      "golden: { compare: false }", savesLater: true, in: folder)
    #expect(uncompared.verdict == .passed)
  }

  @Test func `with advice on an action that changed nothing, once`() async throws {
    let folder = try TestFolder()
    for isFirst in [true, false] {
      let result = try await result("", savesLater: false, in: folder)
      #expect(result.verdict == (isFirst ? .recorded : .passed))
      let idle = result.problems.filter { $0.kind == .idle }
      #expect(idle.map(\.position.line) == (isFirst ? [4] : []))
      #expect(idle.allSatisfy { !$0.isFailure && $0.severity == .advice })
    }
  }

  @Test(arguments: RecordMode.allCases, [[0xFF], Array("# golden 2: deep/trial\r\n".utf8)])
  func `over an unusable golden file`(mode: RecordMode, former: [UInt8]) async throws {
    let (result, after) = try await run(mode, former: former)
    let isRecorded = mode == .failed || mode == .all
    #expect(result.verdict == (isRecorded ? .recorded : .error))
    #expect(after == String(decoding: isRecorded ? right : former, as: UTF8.self))
    let problem = try #require(result.problems.first)
    #expect(isRecorded || problem.message.contains("record it again"))
    #expect(isRecorded || problem.details == ["do: record it with --record failed scenario.json5"])
  }

  @Test func `through a link, with the permissions of the file that it leads to`() async throws {
    let folder = try TestFolder()
    try folder.write(wrong, to: "shared/trial.golden")
    try folder.setPermissions(0o640, of: "shared/trial.golden")
    let link = folder.url("trial.golden").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "shared/trial.golden")
    let store = GoldenStore(folder: folder.path)
    let result = try await Trial.result(try Trial.scenario(steps), .all, goldens: store)
    #expect(result.verdict == .recorded)
    let file = folder.url("shared/trial.golden").path
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try folder.text(of: "shared/trial.golden").contains("  in   Documents/a  1 byte"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link).hasPrefix("shared/"))
  }

  @Test func `whole or not at all`() async throws {
    let folder = try TestFolder()
    try folder.write("in the way", to: "deep")
    let store = GoldenStore(folder: folder.path)
    let result = try await Trial.result(
      try Trial.scenario(steps, id: "deep/trial"), .all, goldens: store)
    #expect(result.verdict == .error)
    #expect(try folder.names() == ["deep"] && folder.text(of: "deep") == "in the way")
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func `not into a folder without write permission, where the old file stays`() async throws {
    let folder = try TestFolder()
    try folder.write(wrong, to: "trial.golden")
    try folder.setPermissions(0o500, of: "")
    let result = try await Trial.result(
      try Trial.scenario(steps), .all, goldens: GoldenStore(folder: folder.path))
    try folder.setPermissions(0o700, of: "")
    #expect(result.verdict == .error)
    #expect(try Array(folder.text(of: "trial.golden").utf8) == wrong)
  }

  @Test
  func
    `not over a golden file while a finding fails the run, and then only the finding is a problem`()
    async throws
  {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let passing = try Trial.scenario(["{ save: 'tmp/a', size: 1 }", "{ exclude: 'tmp/a' }"])
    #expect(try await Trial.result(passing, goldens: store).verdict == .recorded)
    let former = try folder.text(of: "trial.golden")
    let failing = try Trial.scenario(["{ exclude: 'tmp/a' }", "{ backup: 'a' }"])
    for mode in [RecordMode.never, .missing, .failed] {
      let result = try await Trial.result(failing, mode, goldens: store)
      #expect(result.problems.map(\.kind) == [.finding(rule: "exists-before-set")])
      #expect(try folder.text(of: "trial.golden") == former)
    }
  }

  @Test func `not from a run on some of the systems, which is still compared`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(steps, "system: ['6', '18', '26']")
    let middleSystem: Set<SystemVersion> = [try #require(SystemVersion("18"))]
    #expect(
      try await Trial.result(scenario, .all, goldens: store, systems: middleSystem).verdict
        == .failed)
    #expect(try folder.names() == [])
    #expect(try await Trial.result(scenario, goldens: store).verdict == .recorded)
    #expect(
      try await Trial.result(scenario, goldens: store, systems: middleSystem).verdict == .passed)
    let golden = try folder.text(of: "trial.golden")
    let lines = golden.split(separator: "\n")
    let index = try #require(lines.lastIndex { $0.hasPrefix("  in   Documents/a") })
    try folder.write(
      lines.indices.map { $0 == index ? "  in   Documents/a  7 bytes\n" : "\(lines[$0])\n" }
        .joined(),
      to: "trial.golden")
    let result = try await Trial.result(scenario, .all, goldens: store, systems: middleSystem)
    guard case .differs(_, let difference, _) = result.goldenOutcome else {
      Issue.record("no difference")
      return
    }
    let changed = difference.hunks.joined().filter { !$0.isInBothTexts }
    #expect(changed.map(\.goldenLineNumber) == [index + 1, nil])
    #expect(result.problems.map(\.position.line) == [3])
    let oldestSystem: Set<SystemVersion> = [try #require(SystemVersion("6"))]
    #expect(
      try await Trial.result(scenario, goldens: store, systems: oldestSystem).verdict == .passed)
  }
}
