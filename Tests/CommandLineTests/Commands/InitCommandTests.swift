#if os(macOS) || os(Linux)
import BackupContainer
import Foundation
import TestSupport
import Testing

/// `init` shows or creates the first files for tests with the kit.
@Suite struct InitCommandTests {
  /// Creates a package as `swift package init` does.
  func package() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("// swift-tools-version: 6.3\n", to: "Package.swift")
    try workspace.write("", to: "Sources/Cinema/Cinema.swift")
    try workspace.write("", to: "Tests/CinemaTests/CinemaTests.swift")
    return workspace
  }

  static let created = [
    ".gitattributes", ".github/workflows/backup-tests.yml", ".gitignore", ".vscode/settings.json",
    "Scenarios/app.json5", "Scenarios/app.schema.json", "Scenarios/first.json5",
    "Scenarios/scenario.schema.json",
    "Tests/CinemaTests/BackupTests.swift",
  ]

  func expect(
    _ text: String, has parts: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for part in parts where !text.contains(part) {
      Issue.record("'\(part)' is not in:\n\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test func `without --write, the files are only shown`() async throws {
    let workspace = try package()
    let before = workspace.files(in: ".")
    let run = try await workspace.run("init")
    #expect(run.status == 0)
    for file in Self.created { expect(run.output, has: "new file \(file)\n") }
    expect(run.output, has: "  | import Cinema\n", "Nothing was written.", "add --write")
    #expect(workspace.files(in: ".") == before)
  }

  @Test func `with --write, the files are created, and the next steps have the package's names`()
    async throws
  {
    let workspace = try package()
    let before = workspace.files(in: ".")
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(workspace.files(in: ".") == (before + Self.created).sorted())
    expect(
      run.output, has: "Created 9 files.", "target.name == \"CinemaTests\"",
      "target.name == \"Cinema\"", "run 'swift test'", "exclude: [\"Scenarios\", \"Golden\"]")
    #expect(try workspace.text(of: "Package.swift") == "// swift-tools-version: 6.3\n")
    // The tool shows these lines until Package.swift has them.
    let secondOutput = try await workspace.run("init").output
    expect(secondOutput, has: "All files exist. Next:", "FileSystemTap")
    let lines = secondOutput.split(separator: "Package.swift:\n\n").last?
      .split(separator: "\n2. ").first
    try workspace.write(try #require(lines.map(String.init)), to: "Package.swift")
    #expect(try await workspace.run("init").output.hasSuffix("All files exist.\n"))
    expect(
      try workspace.text(of: "Tests/CinemaTests/BackupTests.swift"), has: "import Cinema\n",
      "CinemaApp: AppUnderTest")
  }

  #if os(Linux)
  #endif

  @Test func `the created scenario is valid`() async throws {
    let workspace = try package()
    _ = try await workspace.run("init", "--write")
    let check = try await workspace.run("check")
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test(arguments: [
    (["--tests", "../Tests"], "is not a path below the project's folder"),
    (["--tests", "/Tests"], "is not a path below the project's folder"),
    (["--tests", ".git/hooks"], "is not a path below the project's folder"),
    (["--tests", "a\nb/XTests"], "is not the name of a target"),
    (["--app", "a\"b"], "is not the name of a target"),
    (["--from", "Sources"], "--from: Sources: Documents, Library and tmp are all missing"),
    (["--from", "missing"], "missing: no such folder"),
    (["Sources"], "Sources: there is no Package.swift and no Xcode project"),
    (["missing"], "missing: the folder cannot be read: no such file or folder"),
  ])
  func `a mistake is an error`(arguments: [String], message: String) async throws {
    let workspace = try package()
    let before = workspace.files(in: ".")
    let run = try await workspace.run(["init", "--write"] + arguments)
    #expect(run.status == 2)
    expect(run.errors, has: message)
    #expect(workspace.files(in: ".") == before)
  }
}
#endif
