#if os(macOS) || os(Linux)
import Foundation
import Testing

/// The file of `--output` is always the report of this run, and replaces only an earlier report.
@Suite struct ReportFileTests {
  /// Creates a scenario that passes, its golden file, and an earlier report that only the owner can
  /// read.
  private func workspace() async throws -> Workspace {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.write("of yesterday", to: "report.xml")
    chmod(workspace.url("report.xml").path, 0o600)
    return workspace
  }

  @Test(
    arguments: [
      ["run", "--filter", "x"], ["run", "nowhere"], ["run", "--system", "9"], ["run", "--systm=9"],
      ["run", "--record", "nevr"], ["run", "--delete-orphans", "a"], ["run", "broken.json5"],
    ])
  func `a run that stops early replaces the earlier report`(arguments: [String]) async throws {
    let workspace = try await workspace()
    try workspace.write("{", to: "broken.json5")
    let run = try await workspace.run(
      arguments + ["--format", "junit", "--output", "report.xml"])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    let document = try XMLCheck.read(try workspace.text(of: "report.xml"))
    #expect(document.attributes["errors"] == "1")
  }

  @Test func `an unknown format is reported in the default format`() async throws {
    let workspace = try await workspace()
    let run = try await workspace.run("run", "--format", "jnuit", "--output", "report.xml")
    #expect(run.status == 2)
    #expect(
      try workspace.text(of: "report.xml").hasPrefix(
        "backup-testing: error: --format: unknown format 'jnuit'; did you mean 'junit'?"))
  }

  @Test func `a run that is killed leaves a report that says so`() async throws {
    let workspace = try await workspace()
    let text = Sample.document.replacing(
      "{ backup", with: "{ run: [\"sh\", \"-c\", \"kill -9 $(ps -o ppid= -p $PPID)\"] }, { backup")
    try workspace.write(text, to: "Scenarios/b.json5")
    // A killed tool leaves its container in TMPDIR, which is in the workspace.
    try FileManager.default.createDirectory(
      at: workspace.url("tmp"), withIntermediateDirectories: true)
    let run = try await workspace.run(
      "run", "--allow-run", "--output", "report.xml",
      environment: ["TMPDIR": workspace.url("tmp").path])
    #expect(run.status == -9)
    #expect(
      try workspace.text(of: "report.xml") == "backup-testing: error: the run has not finished\n")
  }

  @Test func `a golden folder that cannot be read is in the report`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("no folder", to: "Golden")
    let run = try await workspace.run("run", "--format", "junit")
    let cases = try XMLCheck.read(run.output).all("testcase").map { $0.attributes["name"] }
    #expect(cases == ["a", "the whole run"])
  }

  @Test func `the file keeps its permissions, and nothing is left beside it`() async throws {
    let workspace = try await workspace()
    let before = workspace.files(in: ".")
    #expect(try await workspace.run("run", "--output", "report.xml").status == 0)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: workspace.url("report.xml").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(workspace.files(in: ".") == before)
    #expect(try workspace.text(of: "report.xml") == "1 scenario in 1 run: 1 passed\n")
  }

  @Test(
    arguments: [
      ("Scenarios/a.json5", "a scenario file, or would be read as one"),
      ("other.jsonc", "a scenario file"),
      ("Scenarios/new.json", "a scenario file, or would be read as one"),
      ("link", "a scenario file"),
      ("plain/b.json", "a scenario file"), ("Golden/a.golden", "this is the name of a golden file"),
      ("Golden", "this is a folder"), ("new/", "this is a folder"),
    ])
  func `a scenario file, a golden file and a folder are refused`(
    file: String, message: String
  ) async throws {
    let workspace = try await workspace()
    try workspace.write("{}", to: "plain/b.json")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("link").path, withDestinationPath: "Scenarios/a.json5")
    let before = try workspace.files(in: ".").map { try workspace.text(of: $0) }
    for operands in [["Scenarios", "plain"], ["plain/b.json", "nowhere"]] {
      let run = try await workspace.run(["run"] + operands + ["--output", file])
      #expect(run.status == 2)
      if !message.contains("folder") || operands.contains("Scenarios") {
        #expect(run.errors.contains("\(file): "), "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
      }
      #expect(try workspace.files(in: ".").map { try workspace.text(of: $0) } == before)
    }
  }

  @Test func `a file that is not a report is not replaced`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let files = [
      ("my/other.json", "{ \"steps\": [] }", "this file exists and is not a report"),
      ("Package.swift", "import A\n", "this is the name of a source file"),
    ]
    for (file, text, message) in files {
      try workspace.write(text, to: file)
      let run = try await workspace.run("run", "--format", "json", "--output", file)
      #expect(run.status == 2)
      #expect(run.errors.contains("\(file): \(message)"))
      #expect(try workspace.text(of: file) == text)
    }
    for _ in 0..<2 {
      _ = try await workspace.run("run", "--format", "json", "--output", "out.json")
      #expect(try workspace.text(of: "out.json").contains("\"scenarios\""))
    }
  }

  @Test func `a file name of the greatest length is possible`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let name = String(repeating: "漢", count: 80) + ".xml"
    _ = try await workspace.run("run", "--format", "junit", "--output", name)
    #expect(try workspace.text(of: name).hasPrefix("<?xml"))
  }
}
#endif
