#if os(macOS) || os(Linux)
import Foundation
import Testing

/// `new` writes a template of a scenario.
@Suite struct NewCommandTests {
  @Test func `the new scenario can be read and run`() async throws {
    let workspace = try Workspace()
    let new = try await workspace.run("new", "marks/movie-1.b_c")
    #expect(new.status == 0)
    #expect(new.output.hasPrefix("wrote Scenarios/marks/movie-1.b_c.json5\n"))
    #expect(new.output.contains("swift run backup-testing run Scenarios/marks/movie-1.b_c.json5"))
    #expect(new.output.contains("Golden/marks/movie-1.b_c.golden"))
    #expect(try await workspace.run("check").status == 0)
    let first = try await workspace.run("run")
    #expect(first.errors.contains("note: recorded Golden/marks/movie-1.b_c.golden"))
    #expect(first.output == "1 scenario in 1 run: 0 passed, 1 recorded\n")
    let second = try await workspace.run("run", "--strict")
    #expect(second.status == 0)
    #expect(second.errors.isEmpty)
  }

  @Test func `the lines in the template's comments are valid too`() async throws {
    let workspace = try Workspace()
    _ = try await workspace.run("new", "a")
    let text = try workspace.text(of: "Scenarios/a.json5")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isOption = ["// system:", "// backups:", "// expect:", "//   {", "// ],"].contains {
        line.contains($0)
      }
      return isOption ? String(line.replacing("// ", with: "")) : String(line)
    }
    #expect(lines.joined(separator: "\n") != text)
    try workspace.write(lines.joined(separator: "\n"), to: "Scenarios/a.json5")
    let check = try await workspace.run("check")
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test func `nothing is overwritten`() async throws {
    let workspace = try Workspace(scenarios: ["a": "mine"])
    try workspace.write("mine too", to: "Scenarios/b.jsonc")
    for id in ["a", "A", "b"] {
      let run = try await workspace.run("new", id)
      #expect(run.status == 2)
      #expect(run.errors.contains("already exists and was not changed"))
    }
    #expect(try workspace.text(of: "Scenarios/a.json5") == "mine")
    #expect(workspace.files(in: "Scenarios") == ["a.json5", "b.jsonc"])
  }

  @Test(
    arguments: [
      "", "/", "/etc/x", "..", "../x", "a/../b", "./a", "a//b", "a/", ".hidden", "a/.b", "a b",
      "a\nb", "é", "a\\b", "a:b", "a*", "x/-rf",
    ])
  func `an invalid id is refused`(id: String) async throws {
    let workspace = try Workspace()
    let run = try await workspace.run("new", "--", id)
    #expect(run.status == 2)
    #expect(run.errors.contains("is not an id; expected letters, digits"))
    #expect(workspace.files(in: ".").isEmpty)
  }

  @Test func `an id has no file extension`() async throws {
    let run = try await Workspace().run("new", "a.json5")
    #expect(run.status == 2)
    #expect(run.errors.contains("remove '.json5'"))
  }

  @Test func `a link is not followed`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    try workspace.write("x", to: "elsewhere/x.txt")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("Scenarios/link").path, withDestinationPath: "../elsewhere")
    let run = try await workspace.run("new", "link/b")
    #expect(run.status == 2)
    #expect(run.errors.contains("Scenarios/link: this is a link"))
    #expect(workspace.files(in: "elsewhere") == ["x.txt"])
  }

  @Test func `another folder can be named`() async throws {
    let workspace = try Workspace()
    #expect(try await workspace.run("new", "a", "--scenarios", "Tests/S").status == 0)
    #expect(workspace.files(in: "Tests/S") == ["a.json5"])
    try workspace.write("in the way", to: "file")
    let run = try await workspace.run("new", "a", "--scenarios", "file/S")
    #expect(run.status == 2)
    #expect(
      run.errors.hasSuffix(
        "file/S/a.json5: cannot be written, because 'file' is a file, not a folder; name another "
          + "path\n"))
  }
}
#endif
