#if os(macOS) || os(Linux)
import Foundation
import Testing

@testable import backup_testing

/// The tool writes to terminals, pipes, files, links and devices.
@Suite struct OutputTests {
  @Test func `only terminals that allow colours get them`() {
    #expect(Output.takesColors(isTerminal: true, environment: [:]))
    #expect(Output.takesColors(isTerminal: true, environment: ["NO_COLOR": "", "TERM": "xterm"]))
    #expect(!Output.takesColors(isTerminal: false, environment: ["TERM": "xterm"]))
    #expect(!Output.takesColors(isTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!Output.takesColors(isTerminal: true, environment: ["TERM": "dumb"]))
  }

  @Test func `a file or pipe gets no colours`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    for format in ["text", "json", "junit", "github"] {
      let run = try await workspace.run("run", "--format", format)
      #expect((run.output + run.errors).contains("reapply-on-save"))
      #expect(!run.output.contains("\u{1B}"))
      #expect(!run.errors.contains("\u{1B}"))
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a full device as output is an error`() async throws {
    let run = try await Workspace().shell("\"$TOOL\" linux-shim > /dev/full")
    #expect(run.status == 2)
    #expect(
      run.errors
        == "backup-testing: error: standard output cannot be written: no space left on device\n")
  }

  @Test func `the tool continues if the reader of its output ends`() async throws {
    let workspace = try Workspace()
    for number in 1...60 { try workspace.write(Sample.matrix, to: "Scenarios/\(number).json5") }
    _ = try await workspace.run("run")
    let completeRun = try await workspace.run("run", "--format", "json")
    #expect(completeRun.status == 0)
    #expect(completeRun.output.utf8.count > 80_000)
    let run = try await workspace.shell(
      "{ \"$TOOL\" run --format json; echo \"$?\" > status; } | head -1")
    #expect(run.output == "{\n")
    #expect(try workspace.text(of: "status") == "0\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `a pipe is not replaced by a file`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    let run = try await workspace.shell(
      "mkfifo pipe; exec 3<>pipe; \"$TOOL\" run --format json --output pipe;"
        + "test -p pipe && head -c 1 <&3")
    #expect(run.output.hasSuffix("\n{"), "\(run.errors)")
  }

  @Test func `a link to standard output is not replaced by a file`() async throws {
    let workspace = try Workspace()
    let printed = try await workspace.run("linux-shim")
    let run = try await workspace.shell(
      "ln -s /dev/stdout out; \"$TOOL\" linux-shim --output out | cat; test -L out")
    #expect(run.status == 0)
    #expect(run.output == printed.output)
  }

  @Test func `a link to a file stays, and the file is replaced`() async throws {
    let workspace = try Workspace()
    let run = try await workspace.shell(
      "touch file; ln -s file link; \"$TOOL\" linux-shim --output link; test -L link")
    #expect(run.status == 0)
    #expect(try workspace.text(of: "file").contains("import"))
  }

  @Test func `a link to a missing file stays, and the file is created`() async throws {
    let workspace = try Workspace()
    let run = try await workspace.shell(
      "ln -s made link; \"$TOOL\" linux-shim --output link; test -L link")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try workspace.text(of: "made").contains("import"))
  }

  @Test(arguments: [
    ("link", "out of the working directory"), ("folder/new.swift", "out of the working directory"),
    ("\"$PWD\"/link", "out of /"),
  ])
  func `a link that leads out of the folder is refused`(path: String, place: String) async throws {
    let workspace = try Workspace()
    let outside = try Workspace()
    try outside.write("mine", to: "file")
    let links = "ln -s '\(outside.url("file").path)' link; ln -s '\(outside.url("").path)' folder; "
    try workspace.write("1", to: "c/Documents/a")
    for command in ["linux-shim", "inspect c"] {
      let run = try await workspace.shell("\(links) \"$TOOL\" \(command) --output \(path)")
      #expect(run.status == 2)
      #expect(run.errors.contains("a link in this path leads \(place)"), "\(run.errors)")
    }
    #expect(try outside.text(of: "file") == "mine")
    #expect(!outside.exists("new.swift"))
  }

  @Test func `a tilde is part of a name, and a slash at the end means a folder`()
    async throws
  {
    let workspace = try Workspace()
    let tilde = try await workspace.run("linux-shim", "--output", "~notes")
    #expect(tilde.status == 0)
    #expect(workspace.exists("~notes"))
    try workspace.write("mine", to: "plain")
    let folder = try await workspace.run("linux-shim", "--output", "plain/")
    #expect(folder.status == 2)
    #expect(
      folder.errors.contains(
        "plain/: cannot be written, because this is a folder; name a file"))
    #expect(try workspace.text(of: "plain") == "mine")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `a link to a full device stays, and is an error`() async throws {
    let run = try await Workspace().shell(
      "ln -s /dev/full out; \"$TOOL\" linux-shim --output out; echo $?; test -L out")
    #expect(run.status == 0)
    #expect(run.output == "2\n")
    #expect(
      run.errors == "backup-testing: error: out: cannot be written: no space left on device\n")
  }
}
#endif
