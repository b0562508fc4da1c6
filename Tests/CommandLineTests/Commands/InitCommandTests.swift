#if os(macOS) || os(Linux)
import BackupContainer
import Foundation
import TestSupport
import Testing

/// `init`: what it shows, what it creates, and what it leaves alone.
@Suite struct InitCommandTests {
  /// A package as `swift package init` makes it.
  func package() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("// swift-tools-version: 6.3\n", to: "Package.swift")
    try workspace.write("", to: "Sources/Cinema/Cinema.swift")
    try workspace.write("", to: "Tests/CinemaTests/CinemaTests.swift")
    return workspace
  }

  static let created = [
    ".gitattributes", ".github/workflows/backup-tests.yml", ".gitignore", ".vscode/settings.json",
    "Scenarios/first.json5", "Scenarios/scenario.schema.json",
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
      run.output, has: "Created 7 files.", "target.name == \"CinemaTests\"",
      "target.name == \"Cinema\"", "run 'swift test'")
    #expect(try workspace.text(of: "Package.swift") == "// swift-tools-version: 6.3\n")
    expect(
      try workspace.text(of: "Tests/CinemaTests/BackupTests.swift"), has: "import Cinema\n",
      "CinemaApp: AppUnderTest")
  }

  #if os(Linux)
  @Test(arguments: [("y", true), ("n", false), ("", false)])
  func `on a terminal, a person is asked`(answer: String, isCreated: Bool) async throws {
    let workspace = try package()
    let run = try await workspace.shell(
      "printf '\(answer)\\n' | script --quiet --return --command '\"$TOOL\" init' /dev/null")
    #expect(run.status == 0, "\(run.errors)")
    expect(run.output, has: "Create 7 files? [y/N] ")
    #expect(workspace.exists("Scenarios/first.json5") == isCreated)
  }
  #endif

  @Test func `the scenario can be read`() async throws {
    let workspace = try package()
    _ = try await workspace.run("init", "--write")
    let check = try await workspace.run("check")
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test func `the schema is the one that 'schema' prints`() async throws {
    let workspace = try package()
    _ = try await workspace.run("init", "--write")
    let schema = try await workspace.run("schema").output
    #expect(try workspace.text(of: "Scenarios/scenario.schema.json") == schema)
  }

  @Test func `a second run changes nothing`() async throws {
    let workspace = try package()
    _ = try await workspace.run("init", "--write")
    let files = workspace.files(in: ".")
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 0)
    #expect(!run.output.contains("new file"))
    #expect(!run.output.contains("Next:"))
    #expect(workspace.files(in: ".") == files)
  }

  @Test func `a project with scenarios gets no first test`() async throws {
    let workspace = try package()
    try workspace.write(Sample.document, to: "Scenarios/a.json5")
    _ = try await workspace.run("init", "--write")
    #expect(workspace.files(in: "Scenarios") == ["a.json5", "scenario.schema.json"])
    #expect(!workspace.exists("Tests/CinemaTests/BackupTests.swift"))
    #expect(workspace.exists(".vscode/settings.json"))
  }

  @Test func `a package without tests gets a test target`() async throws {
    let workspace = try Workspace()
    try workspace.write("", to: "Package.swift")
    try workspace.write("", to: "Sources/my-app/App.swift")
    let run = try await workspace.run("init", "--write")
    expect(
      run.output, has: ".testTarget(name: \"my-appTests\", dependencies: [\"my-app\", .product(")
    expect(
      try workspace.text(of: "Tests/my-appTests/BackupTests.swift"), has: "import my_app\n",
      "enum my_appApp: AppUnderTest")
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

  @Test func `a container's folders get classes by their places and marks`() async throws {
    let workspace = try package()
    for (path, size) in [
      "Documents/list \"1\".json": 5, "Library/Application Support/Movies/1.mp4": 3000,
      "Library/Application Support/default.store": 100, "Library/Caches/a/b": 10, "tmp/x": 1,
      "Library/Preferences/a.plist": 1, "Library/WebKit/a": 1,
    ] {
      try workspace.write(String(repeating: "0", count: size), to: "c/\(path)")
    }
    let movies = workspace.url("c/Library/Application Support/Movies")
    try movies.excludeFromBackup()
    let run = try await workspace.run("init", "--write", "--from", "c")
    #expect(run.status == 0, "\(run.errors)")
    let text = try workspace.text(of: "Scenarios/first.json5")
    let lines = text.split(separator: "\n").filter { $0.contains("  // ") && $0.contains("\": ") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines == [
        "\"Library/Application Support/Movies/**\": \"offline\",  // 1 file, 3.0 KB, all marked",
        "\"Library/Caches/**\": \"cached\",  // 1 file, 10 bytes",
        "\"Documents/**\": \"critical\",  // 1 file, 5 bytes",
        "\"tmp/**\": \"temporary\",  // 1 file, 1 byte",
        "\"Library/Application Support/*\": \"critical\",  // 1 file, 100 bytes",
      ])
    #expect(try await workspace.run("check").status == 0)
  }

  @Test func `an Xcode project gets a test for the simulator`() async throws {
    let workspace = try Workspace()
    try workspace.write("", to: "My Cinema.xcodeproj/project.pbxproj")
    try workspace.write("", to: "My CinemaTests/A.swift")
    try workspace.write("", to: "My CinemaUITests/A.swift")
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 0, "\(run.errors)")
    expect(
      run.output, has: "choose File › Add Package Dependencies…", "target My CinemaTests only")
    #expect(!run.output.contains("Package.swift"))
    expect(
      try workspace.text(of: "My CinemaTests/BackupTests.swift"),
      has: "@testable import My_Cinema\n",
      "action.container.url")
    expect(
      try workspace.text(of: ".github/workflows/backup-tests.yml"),
      has: "-project 'My Cinema.xcodeproj'", "-scheme 'My Cinema'")
  }
}
#endif
