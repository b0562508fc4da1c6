#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import Testing

/// What `run` selects, compares, writes and returns.
@Suite struct RunTests {
  @Test func `a run that records says so with a note at the title, and the next passes`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.document])
    let first = try await workspace.run("run")
    #expect(first.status == 0)
    #expect(
      first.errors.hasPrefix("Scenarios/marks/a.json5:2:3: note: recorded Golden/marks/a.golden"))
    #expect(first.errors.contains("    + Documents/a.txt  1000\n"))
    #expect(first.output == "1 scenario in 1 run: 0 passed, 1 recorded\n")
    #expect(try workspace.text(of: "Golden/marks/a.golden").contains("+ Documents/a.txt  1000\n"))
    let second = try await workspace.run("run")
    #expect(second.status == 0)
    #expect(second.output == "1 scenario in 1 run: 1 passed\n")
    #expect(second.errors.isEmpty)
  }

  @Test func `what Foundation says of a file that is no property list is not printed`() async throws
  {
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

  @Test func `recording that was asked for ends with one line`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.document])
    let run = try await workspace.run("run", "--record", "missing")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.output == "2 scenarios in 2 runs: 0 passed, 2 recorded\n")
  }

  @Test func `an unknown variable is named, with the nearest`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let run = try await workspace.run("run", environment: ["BACKUP_TESTING_RECRD": "never"])
    #expect(
      run.errors.contains(
        "warning: unknown environment variable 'BACKUP_TESTING_RECRD'; did you mean 'BACKUP_TESTING_RECORD'?"
      ))
  }

  @Test(arguments: ["a", "Scenarios/a.json5", "./Scenarios//a.json5", "Scenarios/a.json5 a"])
  func `a scenario is selected by path and by id`(name: String) async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document, "b": Sample.document])
    let run = try await workspace.run(["run"] + name.split(separator: " ").map(String.init))
    #expect(run.output.hasPrefix("1 scenario in 1 run"))
    #expect(workspace.files(in: "Golden") == ["a.golden"])
  }

  @Test(arguments: [["Scenarios/marks"], ["./Scenarios/marks/"], ["--filter", "marks/*"]])
  func `a part of the folder keeps its ids and goldens`(arguments: [String]) async throws {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.document, "b": Sample.document])
    _ = try await workspace.run("run")
    let run = try await workspace.run(["run"] + arguments)
    #expect(run.status == 0)
    #expect(run.output == "1 scenario in 1 run: 1 passed\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `another folder has its goldens beside it`() async throws {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "tests/S/a.json5")
    #expect(try await workspace.run("run", "tests/S").status == 0)
    #expect(workspace.files(in: "tests/Golden-S") == ["a.golden"])
    #expect(try await workspace.run("run", "tests/S/").status == 0)
    let named = try await workspace.run("run", "tests/S", "--golden", "elsewhere")
    #expect(named.status == 0)
    #expect(workspace.files(in: "elsewhere") == ["a.golden"])
  }

  @Test func `a part of another folder keeps its ids and goldens`() async throws {
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

  @Test func `the working directory can be the folder`() async throws {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "a.json5")
    #expect(try await workspace.run("run", ".", "--golden", "G").status == 0)
    #expect(try await workspace.run("run", "a.json5", "--golden", "G").status == 0)
  }

  @Test func `a file anywhere is run without a look at those around it`() async throws {
    let workspace = try Workspace()
    let deep = Array(repeating: "d", count: 40).joined(separator: "/")
    try workspace.write(Sample.document, to: "work/a.json5")
    try workspace.write(Sample.document, to: "work/\(deep)/a.json5")
    let run = try await workspace.run("run", "work/a.json5", "--golden", "G")
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 recorded\n")
    try workspace.write(Sample.document, to: "work/a.txt")
    let other = try await workspace.run("run", "work/a.txt")
    #expect(other.status == 2)
    #expect(
      other.errors.contains(
        "work/a.txt: this is not a scenario file; expected a file that ends"))
  }

  @Test func `a part of the systems is compared with its sections and not recorded`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    let early = try await workspace.run("run", "--system", "18")
    #expect(early.status == 1)
    #expect(early.errors.contains("the golden file Golden/a.golden is missing"))
    #expect(
      early.errors.contains(
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

  @Test func `there has to be something to run`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try FileManager.default.createDirectory(
      at: workspace.url("empty"), withIntermediateDirectories: true)
    let filtered = try await workspace.run("run", "--filter", "nothing/**")
    #expect(filtered.status == 2)
    #expect(
      filtered.errors
        == "backup-testing: error: there is no scenario that 'nothing/**' matches in "
        + "Scenarios; check --filter\n")
    let empty = try await workspace.run("run", "empty")
    #expect(empty.status == 2)
    #expect(
      empty.errors
        == "backup-testing: error: there is no scenario in empty; name another folder\n")
    let missing = try await workspace.run("run", "missing")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("there is no folder or file 'missing'"))
    let near = try await workspace.run("run", "Scenarios/A.json5", "--filter", "../x")
    #expect(near.status == 2)
    let nowhere = try await Workspace().run("run")
    #expect(nowhere.status == 2)
    #expect(nowhere.errors.contains("Scenarios: no such folder"))
  }

  @Test func `two scenarios cannot share a golden file`() async throws {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "one/a.json5")
    try workspace.write(Sample.document, to: "two/a.json5")
    let run = try await workspace.run("run", "one", "two", "--golden", "G")
    #expect(run.status == 2)
    #expect(run.errors.contains("one/a.json5 and two/a.json5 would share the golden file"))
    try workspace.write(Sample.document, to: "one/A.jsonc")
    let twins = try await workspace.run("run", "one")
    #expect(twins.status == 2)
    #expect(twins.errors.contains("would share a golden file; rename all but one"))
  }

  @Test func `a golden folder that is a file leaves nothing half written`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("in the way", to: "Golden")
    let run = try await workspace.run("run", "--record", "all")
    #expect(run.status == 1)
    #expect(run.errors.contains("Golden/a.golden: the golden file cannot be read: not a directory"))
    #expect(try workspace.text(of: "Golden") == "in the way")
    #expect(workspace.files(in: ".") == ["Golden", "Scenarios/a.json5"])
  }

  @Test func `the report goes to a file and the summary to the output`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    let run = try await workspace.run("run", "--format", "junit", "--output", "report.xml")
    #expect(run.status == 1)
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 failed\n")
    #expect(run.errors.contains("error: reapply-on-save: "))
    #expect(try workspace.text(of: "report.xml").hasPrefix("<?xml "))
    let nowhere = try await workspace.run("run", "--output", "missing/report.txt")
    #expect(nowhere.status == 2)
    #expect(nowhere.errors.contains("missing/report.txt: cannot be written: no such file"))
    let folder = try await workspace.run("run", "--output", "Scenarios")
    #expect(folder.status == 2)
    #expect(
      folder.errors.contains(
        "Scenarios: cannot be written, because this is a folder; name a file"))
  }

  @Test func `strict runs fail on advice too`() async throws {
    let advised = """
      {
        title: "The old way to mark a file",
        system: "18",
        steps: [
          { save: "Library/a.db", size: 1 },
          { exclude: "Library/a.db", using: "extendedAttribute" },
          { backup: "b" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["a": advised])
    _ = try await workspace.run("run")
    let lenient = try await workspace.run("run")
    #expect(lenient.status == 0)
    #expect(lenient.errors.contains("Scenarios/a.json5:6:5: "))
    #expect(!lenient.errors.contains("error:"))
    #expect(try await workspace.run("run", "--strict").status == 1)
  }

  @Test func `ignored guidance backs up what is marked`() async throws {
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
    let word = try await workspace.run("run", "--guidance", "ignore")
    #expect(word.status == 2)
    #expect(word.errors.contains("did you mean 'ignored'?"))
  }
}
#endif
