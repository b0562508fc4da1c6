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

  @Test func `the missing lines of an existing .gitignore are printed`() async throws {
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
    #expect(try workspace.text(of: "Scenarios/app.json5").contains("Support/Movies/**"))
  }

  @Test func `only the largest folders of a container are listed`() async throws {
    let workspace = try package()
    for number in 1...33 {
      let text = String(repeating: "0", count: number)
      try workspace.write(text, to: "c/Library/Application Support/\(number)/a")
    }
    _ = try await workspace.run("init", "--write", "--from", "c")
    let text = try workspace.text(of: "Scenarios/app.json5")
    expect(text, has: "Support/33/**", "Support/4/**", "// … and 3 smaller folders\n")
    #expect(!text.contains("Support/3/**"))
  }

  @Test func `an unreadable .gitignore is an error`() async throws {
    let workspace = try package()
    try workspace.folder.makeFolder(".gitignore")
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 2)
    expect(run.errors, has: ".gitignore: the file cannot be read: this is a folder, not a file")
    #expect(!workspace.exists("Scenarios"))
  }

  @Test(arguments: [("y", true), ("n", false), ("", false)])
  func `on a terminal, the tool asks first`(answer: String, isCreated: Bool) async throws {
    let workspace = try package()
    let run = try await workspace.shell(
      "printf '\(answer)\\n' | script --quiet --return --command '\"$TOOL\" init' /dev/null")
    #expect(run.status == 0, "\(run.errors)")
    expect(run.output, has: "Create 9 files? [y/N] ")
    #expect(workspace.exists("Scenarios/first.json5") == isCreated)
  }

  @Test func `the schema is the one that 'schema' prints`() async throws {
    let workspace = try package()
    _ = try await workspace.run("init", "--write")
    let schema = try await workspace.run("schema").output
    #expect(try workspace.text(of: "Scenarios/scenario.schema.json") == schema)
    let appSchema = try await workspace.run("schema", "--app-file").output
    #expect(try workspace.text(of: "Scenarios/app.schema.json") == appSchema)
  }

  @Test func `a second run changes nothing`() async throws {
    let workspace = try package()
    _ = try await workspace.run("init", "--write")
    let files = workspace.files(in: ".")
    let run = try await workspace.run("init", "--write")
    #expect(run.status == 0)
    #expect(!run.output.contains("new file"))
    #expect(workspace.files(in: ".") == files)
  }

  @Test func `a project with scenarios gets no first test`() async throws {
    let workspace = try package()
    try workspace.write(Sample.document, to: "Scenarios/a.json5")
    _ = try await workspace.run("init", "--write")
    #expect(
      workspace.files(in: "Scenarios") == ["a.json5", "app.schema.json", "scenario.schema.json"])
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
    let text = try workspace.text(of: "Scenarios/app.json5")
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
