#if os(macOS) || os(Linux)
import BackupVerdicts
import Foundation
import Testing

/// `run` runs scenarios and compares them with their golden files.
@Suite struct RunTests {
  @Test func `a run that records a golden file prints a note, and the next run passes`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.document])
    let first = try await workspace.run("run")
    #expect(first.status == 0)
    #expect(
      first.errors.hasPrefix("Scenarios/marks/a.json5:2:3: note: recorded Golden/marks/a.golden"))
    #expect(first.errors.contains("      in   Documents/a.txt  1000 bytes\n"))
    #expect(first.output == "1 scenario in 1 run: 0 passed, 1 recorded\n")
    #expect(
      try workspace.text(of: "Golden/marks/a.golden").contains(
        "  in   Documents/a.txt  1000 bytes\n"))
    let second = try await workspace.run("run")
    #expect(second.status == 0)
    #expect(second.output == "1 scenario in 1 run: 1 passed\n")
    #expect(second.errors.isEmpty)
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
  func `the scenarios of a subfolder keep their ids and golden files`(
    arguments: [String]
  ) async throws {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.document, "b": Sample.document])
    _ = try await workspace.run("run")
    let run = try await workspace.run(["run"] + arguments)
    #expect(run.status == 0)
    #expect(run.output == "1 scenario in 1 run: 1 passed\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `the golden files of another folder are beside that folder`() async throws {
    let workspace = try Workspace()
    try workspace.write(Sample.document, to: "tests/S/a.json5")
    #expect(try await workspace.run("run", "tests/S").status == 0)
    #expect(workspace.files(in: "tests/Golden-S") == ["a.golden"])
    #expect(try await workspace.run("run", "tests/S/").status == 0)
    let withGoldenOption = try await workspace.run("run", "tests/S", "--golden", "elsewhere")
    #expect(withGoldenOption.status == 0)
    #expect(workspace.files(in: "elsewhere") == ["a.golden"])
  }

  @Test func `it is an error if there is nothing to run`() async throws {
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
        == "backup-testing: error: there is no scenario in empty; name another folder, or write a "
        + "file that ends in .json5 with 'backup-testing new ID'\n")
    let missing = try await workspace.run("run", "missing")
    #expect(missing.status == 2)
    #expect(missing.errors.contains("there is no folder or file 'missing'"))
    let wrongCase = try await workspace.run("run", "Scenarios/A.json5", "--filter", "../x")
    #expect(wrongCase.status == 2)
    let nowhere = try await Workspace().run("run")
    #expect(nowhere.status == 2)
    #expect(nowhere.errors.contains("Scenarios: no such folder"))
  }

  @Test func `the report goes to a file, and the summary to the output`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    let run = try await workspace.run("run", "--format", "junit", "--output", "report.xml")
    #expect(run.status == 1)
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 failed\nfailed: a\n")
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

  @Test func `a strict run also fails on advice`() async throws {
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
    let notStrict = try await workspace.run("run")
    #expect(notStrict.status == 0)
    #expect(notStrict.errors.contains("Scenarios/a.json5:6:5: "))
    #expect(!notStrict.errors.contains("error:"))
    #expect(try await workspace.run("run", "--strict").status == 1)
  }
}
#endif
