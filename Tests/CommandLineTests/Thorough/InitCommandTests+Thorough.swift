#if os(macOS) || os(Linux)
import BackupContainer
import Foundation
import TestSupport
import Testing
extension InitCommandTests {
  @Test func `an existing file stays as it is`() async throws {
    let workspace = try package()
    try workspace.write("mine", to: "Tests/CinemaTests/BackupTests.swift")
    let run = try await workspace.run("init", "--write")
    expect(run.output, has: "Tests/CinemaTests/BackupTests.swift exists, and stays as it is\n")
    #expect(try workspace.text(of: "Tests/CinemaTests/BackupTests.swift") == "mine")
    #expect(workspace.exists("Scenarios/first.json5"))
  }

  @Test func `of an existing list, the missing lines are printed`() async throws {
    let workspace = try package()
    try workspace.write(".build/\n", to: ".gitignore")
    try workspace.write("*.golden -text\n", to: ".gitattributes")
    let run = try await workspace.run("init", "--write")
    expect(
      run.output, has: ".gitignore exists, and stays as it is; add to it:\n  *.golden.new\n",
      ".gitattributes exists, and stays as it is\n")
    #expect(try workspace.text(of: ".gitignore") == ".build/\n")
  }

  @Test func `a link out of the folder is not followed`() async throws {
    let workspace = try package()
    let outside = try TestFolder()
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url(".github").path, withDestinationPath: outside.path)
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 2)
    expect(run.errors, has: ".github: this is a link that leads out of")
    #expect(try outside.names().isEmpty)
    #expect(!workspace.exists("Scenarios"))
  }

  @Test func `options choose among several targets`() async throws {
    let workspace = try package()
    try workspace.write("", to: "Sources/Store/Store.swift")
    try workspace.write("", to: "Tests/StoreTests/StoreTests.swift")
    let run = try await workspace.run("init")
    #expect(run.status == 2)
    expect(
      run.errors, has: "several folders of test targets (Tests/CinemaTests, Tests/StoreTests)",
      "with --tests")
    let chosen = try await workspace.run("init", "--tests", "Tests/StoreTests/")
    expect(chosen.output, has: "new file Tests/StoreTests/BackupTests.swift", "import Store\n")
    let both = try await workspace.run("init", "--tests", "Tests/StoreTests", "--app", "Cinema")
    expect(both.output, has: "import Cinema\n")
  }

  @Test func `a folder whose name is a pattern is left out`() async throws {
    let workspace = try package()
    for name in ["*", "{uuid}", "[a]", "Movies"] {
      try workspace.write("0", to: "c/Library/Application Support/\(name)/a")
    }
    _ = try await workspace.run("init", "--write", "--from", "c")
    #expect(try await workspace.run("check").status == 0)
    #expect(try workspace.text(of: "Scenarios/first.json5").contains("Support/Movies/**"))
  }

  @Test func `of a container with many folders, the largest are listed`() async throws {
    let workspace = try package()
    for number in 1...33 {
      let text = String(repeating: "0", count: number)
      try workspace.write(text, to: "c/Library/Application Support/\(number)/a")
    }
    _ = try await workspace.run("init", "--write", "--from", "c")
    let text = try workspace.text(of: "Scenarios/first.json5")
    expect(text, has: "Support/33/**", "Support/4/**", "// … and 3 smaller folders\n")
    #expect(!text.contains("Support/3/**"))
  }

  @Test func `an existing list that cannot be read is an error`() async throws {
    let workspace = try package()
    try workspace.folder.makeFolder(".gitignore")
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 2)
    expect(run.errors, has: ".gitignore: the file cannot be read: this is a folder, not a file")
    #expect(!workspace.exists("Scenarios"))
  }
}
#endif
