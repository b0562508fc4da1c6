import BackupContainer
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

/// Golden files of scenarios whose names or sizes change with every run.
@Suite struct VaryingGoldenTests {
  private static let first = "0F8FAD5B-D9CB-469F-A165-70867728950E"
  private static let second = "1A2B3C4D-D9CB-469F-A165-70867728950E"

  /// The advice to declare the names and sizes that vary.
  private static let advice =
    "give the names a form in 'golden.names', for example \"Documents/*.mp4\": \"{uuid}.mp4\", and "
    + "name the files of such sizes in 'golden.sizes'"

  /// Returns the golden text of a scenario that saves files, and then has a backup, a purge and a
  /// restore.
  private func text(
    saving files: [(path: String, size: Int)], _ golden: String, _ more: [String] = []
  ) async throws -> String {
    let saves = files.flatMap { file in
      let directory = file.path.split(separator: "/").dropLast().joined(separator: "/")
      return [
        "{ createDirectory: '\(directory)' }", "{ save: '\(file.path)', size: \(file.size) }",
      ]
    }
    let scenario = try Trial.scenario(
      saves + ["{ backup: 'b' }", "{ purge: 'lowStorage' }", "{ restore: 'b' }"] + more, golden)
    return try await Trial.result(scenario).actualGolden
  }

  @Test func `a name of the form is written as the form, in each place`() async throws {
    let names =
      "golden: { names: { 'Documents/*': '{uuid}', 'Library/Caches/*.png': '{hex}.png' } }"
    func text(_ uuid: String, _ hex: String) async throws -> String {
      try await self.text(
        saving: [
          ("Documents/\(uuid)/a.txt", 1), ("Documents/\(uuid)/b.db-wal", 2),
          ("Library/Caches/\(hex).png", 3),
        ], names)
    }
    let golden = try await text(Self.first, "0123")
    #expect(try await golden == text(Self.second, "abcd"))
    #expect(golden.contains("\n  in   Documents/{uuid}/a.txt  1 byte\n"))
    #expect(golden.contains("\n  purged  Library/Caches/{hex}.png  3 bytes\n"))
    #expect(!golden.contains(Self.first))
  }

  @Test func `a name of another form is written unchanged`() async throws {
    let golden = try await text(
      saving: [("Documents/movie.mp4", 1), ("Documents/\(Self.first).mp4", 2)],
      "golden: { names: { 'Documents/*.mp4': '{uuid}.mp4' } }")
    #expect(golden.contains("\n  in   Documents/movie.mp4  1 byte\n"))
    #expect(golden.contains("\n  in   Documents/{uuid}.mp4  2 bytes\n"))
  }

  @Test func `lines that become equal are joined, with their number and the sum of their sizes`()
    async throws
  {
    let golden = try await text(
      saving: [
        ("Documents/\(Self.second)", 10), ("Documents/\(Self.first)", 20), ("Documents/0", 5),
        ("Library/Caches/7/a", 1), ("Library/Caches/8/a", 2), ("Library/Caches/8/b", 3),
      ], "golden: { names: { 'Documents/*': '{uuid}', 'Library/Caches/*': '{number}' } }")
    #expect(
      golden.contains("\n  in   Documents/0  5 bytes\n  in   Documents/{uuid}  30 bytes  ×2\n"))
    #expect(golden.contains("\n  purged  Library/Caches/{number}/  3 files, 6 bytes  ×2\n"))
  }

  @Test func `a size is left out of its line and of each sum that contains it, but counts stay`()
    async throws
  {
    let files = [("Documents/a.plist", 10), ("Documents/b", 20), ("Library/Caches/c/d.plist", 30)]
    let withoutPlistSizes = try await text(
      saving: files, "golden: { sizes: ['Documents/*.plist'] }")
    #expect(
      withoutPlistSizes.contains(
        "backup \"b\": 2 files\n  in   Documents/\n  in   Documents/a.plist\n  in   Documents/b  20 bytes\n"
      ))
    #expect(
      withoutPlistSizes.contains(
        "purge lowStorage: 30 bytes freed\n  purged  Library/Caches/c/  1 file, 30 bytes"))
    #expect(
      withoutPlistSizes.contains(
        "restore \"b\"\n  there  Documents/\n  there  Documents/a.plist\n  there  Documents/b  20 bytes\n"
      ))
    let withoutCacheSizes = try await text(saving: files, "golden: { sizes: ['**/d.plist'] }")
    #expect(withoutCacheSizes.contains("backup \"b\": 2 files, 30 bytes\n"))
    #expect(withoutCacheSizes.contains("purge lowStorage\n  purged  Library/Caches/c/  1 file\n"))
    let withoutSizes = try await text(saving: files, "golden: { sizes: false }")
    #expect(!withoutSizes.contains("byte"))
  }

  @Test func `Foundation's own temporary names always vary`() async throws {
    let golden = try await text(saving: [("Documents/.dat.nosync01f4.Qm3xYz", 1)], "")
    #expect(golden.contains("\n  out  Documents/.dat.nosync{any}  (save remnant)\n"))
    let directory = try await text(saving: [("Documents/.dat.nosync-notes/a", 1)], "")
    #expect(directory.contains("\n  in   Documents/.dat.nosync-notes/a  1 byte\n"))
  }

  @Test func `findings and assertions see the real names`() async throws {
    let path = "Documents/\(Self.first).mp4"
    let scenario = try Trial.scenario(
      ["{ exclude: '\(path)' }", "{ expectFiles: { absent: ['\(path)'] } }"],
      "golden: { names: { 'Documents/*': '{uuid}.mp4' } }")
    let result = try await Trial.result(scenario)
    #expect(result.problems.contains { $0.message.contains(path) })
  }

  /// Returns a suite with an action that saves files once per run. `files` returns the paths and
  /// sizes for the number of a run.
  private func suite(
    _ store: GoldenStore, _ mode: RecordMode = .missing,
    _ files: @escaping @Sendable (_ run: Int) -> [(path: String, size: Int)]
  ) -> ScenarioSuite {
    let count = Locked(0)
    var actions = AppActions()
    actions.bind("save") { action in
      let run = count.withLock {
        $0 += 1
        return $0
      }
      for file in files(run) {
        try Data(count: file.size).write(to: action.container.url.appending(path: file.path))
      }
    }
    return ScenarioSuite(
      goldens: store, recordMode: mode, runner: ScenarioRunner(actions: actions))
  }

  private let code = ["{ perform: 'save' }", "{ backup: 'b' }"]

  @Test func `recording reports at once if a second run of the code differs`()
    async throws
  {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let uuids = [Self.first, Self.second]
    @Sendable func files(_ run: Int) -> [(path: String, size: Int)] {
      [
        ("Documents/a-20261123T10150\(run)123Z-\(uuids[run % 2]).json", 280 + run),
        ("Documents/state.json", 283 + run % 2), ("Documents/same.json", 5),
        ("tmp/x.\(["abc", "xyz"][run % 2])", 1),
      ]
    }
    let first = try #require(
      await suite(store) { files($0) }.run(try Trial.scenario(code)))
    #expect(first.verdict == .failed)
    #expect(first.problems.map(\.kind) == [.golden, .recorded])
    let problem = try #require(first.problems.first)
    #expect(
      problem.message
        == "a second run differs from the golden file \(store.path(of: "trial")), which was just "
        + "recorded, so the next run will fail")
    let advice = "do: \(Self.advice), and then record it with --record failed scenario.json5; or "
    #expect(problem.details.last?.hasPrefix(advice) == true)
    let entry =
      #"golden: { names: { "Documents/a-*-*.json": "a-{date}-{uuid}.json" }, "#
      + #"sizes: ["Documents/state.json", "Documents/a-*-*.json"] }"#
    let scenario = try Trial.scenario(code, entry)
    #expect(await suite(store, .failed) { files($0) }.run(scenario)?.verdict == .recorded)
    #expect(await suite(store) { files($0 + 1) }.run(scenario)?.verdict == .passed)
  }

  @Test func `if a second run of the code is equal, the first run is recorded`()
    async throws
  {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let suite = suite(store) { _ in [("Documents/a", 1)] }
    let result = try #require(await suite.run(try Trial.scenario(code)))
    #expect(result.verdict == .recorded)
    #expect(result.runs.count == 1)
  }

  @Test func `a second run that stops early while recording is an error`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let suite = suite(store) { [($0 == 1 ? "Documents/a" : "Documents/b", 1)] }
    let steps = code + ["{ move: 'Documents/a', to: 'Documents/c' }"]
    #expect(await suite.run(try Trial.scenario(steps))?.verdict == .error)
  }

  @Test func `a difference in files that code wrote has advice on names and sizes that vary`()
    async throws
  {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let scenario = try Trial.scenario(code)
    _ = await suite(store) { _ in [("Documents/a", 283)] }.run(scenario)
    let result = await suite(store) { _ in [("Documents/a", 284)] }.run(scenario)
    let details = result?.problems.flatMap(\.details) ?? []
    let naming =
      "do: if names or sizes differ in every run, name them in 'golden.names' or 'golden.sizes'"
    #expect(details.contains(naming))
    func saved(_ size: Int) async throws -> ScenarioResult {
      let steps = ["{ save: 'Documents/a', size: \(size) }", "{ backup: 'b' }"]
      return try await Trial.result(try Trial.scenario(steps, id: "saved"), goldens: store)
    }
    _ = try await saved(283)
    let advice = try await saved(284).problems.flatMap(\.details).filter { $0.hasPrefix("do:") }
    #expect(advice.count == 1)
    #expect(advice.first?.hasSuffix("; or record it with --record failed scenario.json5") == true)
  }

  @Test func `a scenario that compares nothing has no golden file`() async throws {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }"]
    let scenario = try Trial.scenario(steps, "golden: { compare: false }")
    for mode in RecordMode.allCases {
      #expect(try await Trial.result(scenario, mode, goldens: store).verdict == .passed)
    }
    #expect(try folder.names().isEmpty)
    try folder.write("# golden 2: trial\n", to: "trial.golden")
    let result = try await Trial.result(scenario, goldens: store)
    #expect(result.verdict == .failed)
    #expect(result.problems.first?.message.contains("has 'compare: false'") == true)
  }

  @Test func `an unreadable golden file is an error even if the scenario compares nothing`()
    async throws
  {
    let folder = try TestFolder()
    try folder.write("", to: "trial.golden/x")
    let scenario = try Trial.scenario(
      ["{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }"], "golden: { compare: false }")
    let result = try await Trial.result(scenario, goldens: GoldenStore(folder: folder.path))
    #expect(result.verdict == .error)
    #expect(result.problems.first?.message.contains("trial.golden: the golden file cannot") == true)
  }
}
