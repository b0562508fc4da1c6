#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import Testing

extension RunTests {
  @Test func `Foundation's message on an invalid property list is not printed`() async throws {
    let workspace = try Workspace(scenarios: [
      "a": """
      {
        title: "A list",
        steps: [
          { save: "Library/Caches/poster.jpg", size: 1 },
          { save: "Documents/index.plist", contents: "{ a = poster.jpg }" },
          { purge: "lowStorage" }, { relaunch: {} }, { backup: "b" },
        ],
      }
      """
    ])
    let run = try await workspace.run("run", "--record", "all")
    #expect(run.output.hasSuffix("1 recorded\n"))
    #expect(!run.errors.contains("plist parser"), "\(run.errors)")
  }

  @Test func `a run with an explicit record mode prints only the summary`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.document])
    let run = try await workspace.run("run", "--record", "missing")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output == "2 scenarios in 2 runs: 0 passed, 2 recorded\n")
  }

  @Test func `the scenarios of another folder's subfolder keep their ids and golden files`()
    async throws
  {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "S/marks/a.json5")
    #expect(try await workspace.run("run", "S").status == 0)
    for part in ["S/marks", "S/marks/a.json5"] {
      let run = try await workspace.run("run", part)
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
    }
    #expect(workspace.files(in: "Golden-S") == ["marks/a.golden"])
  }

  @Test func `the working directory can be the scenario folder`() async throws {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "a.json5")
    #expect(try await workspace.run("run", ".", "--golden", "G").status == 0)
    #expect(try await workspace.run("run", "a.json5", "--golden", "G").status == 0)
  }

  @Test func `a single file is run without reading the files around it`() async throws {
    let workspace = try Workspace()
    let deep = Array(repeating: "d", count: 40).joined(separator: "/")
    try workspace.write(Sample.document, to: "work/a.json5")
    try workspace.write(Sample.document, to: "work/\(deep)/a.json5")
    let run = try await workspace.run("run", "work/a.json5", "--golden", "G")
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 recorded\n")
    try workspace.write(Sample.document, to: "work/a.txt")
    let textFile = try await workspace.run("run", "work/a.txt")
    #expect(textFile.status == 2)
    #expect(
      textFile.errors.contains(
        "work/a.txt: this is not a scenario file; expected a file that ends"))
  }

  @Test func `runs under some versions of iOS are compared, but not recorded`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    let withoutGolden = try await workspace.run("run", "--system", "18")
    #expect(withoutGolden.status == 1)
    #expect(withoutGolden.errors.contains("the golden file Golden/a.golden is missing"))
    #expect(
      withoutGolden.errors.contains(
        "do: record it with --record missing Scenarios/a.json5, without --system"))
    #expect(!workspace.exists("Golden"))
    _ = try await workspace.run("run")
    for system in ["5.0.1", "5.1", "18"] {
      let run = try await workspace.run("run", "--system", system)
      #expect(run.output == "1 scenario in 1 run: 1 passed\n")
    }
    let newest = try await workspace.run("run", "--system", "newest")
    #expect(newest.status == 2)
    #expect(
      newest.errors.contains(
        "none of these scenarios runs on the version of iOS that --system names; name another"))
    let two = try await workspace.run("run", "--system", "5.1", "--system=18")
    #expect(two.output == "1 scenario in 2 runs: 1 passed\n")
    #expect(try await workspace.run("run", "--system", "9").status == 2)
    #expect(try await workspace.run("run", "--system", "18", "--record", "all").status == 2)
  }

  @Test func `two scenarios cannot share a golden file`() async throws {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "one/a.json5")
    try workspace.write(Sample.document, to: "two/a.json5")
    let run = try await workspace.run("run", "one", "two", "--golden", "G")
    #expect(run.status == 2)
    #expect(run.errors.contains("one/a.json5 and two/a.json5 would share the golden file"))
    try workspace.write(Sample.document, to: "one/A.jsonc")
    let similarNames = try await workspace.run("run", "one")
    #expect(similarNames.status == 2)
    #expect(similarNames.errors.contains("would share a golden file; rename all but one"))
  }

  @Test func `if the golden folder is a file, the run fails and writes nothing`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("in the way", to: "Golden")
    let run = try await workspace.run("run", "--record", "all")
    #expect(run.status == 1)
    #expect(run.errors.contains("Golden/a.golden: the golden file cannot be read: not a directory"))
    #expect(try workspace.text(of: "Golden") == "in the way")
    #expect(workspace.files(in: ".") == ["Golden", "Scenarios/a.json5"])
  }

  @Test func `with ignored guidance, marked items are backed up`() async throws {
    let text = Sample.lostMark.replacing("{ save: \"Library/list.db\", size: 20 },", with: "")
    let workspace = try Workspace(scenarios: ["a": text])
    _ = try await workspace.run("run")
    #expect(try await workspace.run("run", "--guidance", "honoured").status == 0)
    let run = try await workspace.run("run", "--guidance", "ignored", "--format", "json")
    #expect(run.status == 0)
    let report = try JSONDecoder().decode(SuiteReport.self, from: Data(run.output.utf8))
    let item = report.scenarios.first?.runs?.first?.items.first { $0.path == "Library/list.db" }
    #expect(item?.states.map(\.state) == ["in"])
    let recording = try await workspace.run("run", "--guidance", "ignored", "--record", "all")
    #expect(recording.status == 2)
    let mistyped = try await workspace.run("run", "--guidance", "ignore")
    #expect(mistyped.status == 2)
    #expect(mistyped.errors.contains("did you mean 'ignored'?"))
  }
}
#endif
