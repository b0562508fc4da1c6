#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// `test` runs a package's tests and shows their results. A script replaces `swift test`.
@Suite struct TestCommandTests {
  /// A script that runs the scenarios, and writes the results to the file of the kit's tests.
  static let tests = """
    "$TOOL" run --format json --output "$BACKUP_TESTING_REPORT" > /dev/null 2>&1
    """

  /// Creates a package with scenarios, and a program `swift` that prints its arguments and then
  /// runs a script.
  func package(_ script: String, scenarios: [String: String] = [:]) async throws -> Workspace {
    let workspace = try Workspace(scenarios: scenarios)
    try workspace.write("// swift-tools-version: 6.3\n", to: "Package.swift")
    try await workspace.addProgram("swift", "echo \"swift $*\"; \(script)")
    return workspace
  }

  func test(_ workspace: Workspace, _ arguments: String = "") async throws -> Workspace.Outcome {
    try await workspace.shell("export TOOL PATH=\"$PWD/bin:$PATH\"; \"$TOOL\" test \(arguments)")
  }

  @Test func `tests that pass leave a page and the counts`() async throws {
    let workspace = try await package(Self.tests, scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    let run = try await test(workspace, "-- --filter Backup")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        swift test --filter Backup
        page: .build/backup-testing/report.html
        1 scenario in 1 run: 1 passed

        """)
    #expect(try workspace.text(of: ".build/backup-testing/report.html").contains("<title>"))
  }

  @Test func `failures, changes for a review, and the names of failed scenarios are shown`()
    async throws
  {
    let scenarios = ["a": Sample.document, "b": Sample.lostMark, "c": Sample.document]
    let workspace = try await package(Self.tests, scenarios: scenarios)
    _ = try await workspace.run("run")
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/a.golden")
    let run = try await test(workspace)
    #expect(run.status == 1)
    #expect(run.errors.contains("Scenarios/b.json5:6:5: error: reapply-on-save: "))
    #expect(
      run.output.hasSuffix(
        """
        to review, run: swift run backup-testing review
          a: Golden/a.golden: 2 lines differ
        page: .build/backup-testing/report.html
        3 scenarios in 3 runs: 1 passed, 2 failed
        failed: a, b

        """), "\(run.output)")
    let reviewed = try await test(workspace, "--review < /dev/null")
    #expect(reviewed.output.contains("\nto accept, run: swift run backup-testing accept ID…\n"))
  }

  @Test func `results with a failure fail, even if the tests' status is 0`() async throws {
    let workspace = try await package("\(Self.tests); exit 0", scenarios: ["b": Sample.lostMark])
    #expect(try await test(workspace).status == 1)
  }

  @Test func `tests that cannot be built do not show results of an earlier run`() async throws {
    let workspace = try await package(Self.tests, scenarios: ["a": Sample.document])
    #expect(try await test(workspace).status == 0)
    try await workspace.addProgram("swift", "exit 1")
    let run = try await test(workspace, "--open")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("backup-testing: there are no results: the tests could not be"))
    #expect(workspace.files(in: ".build") == [])
  }

  @Test func `unknown arguments of swift test are an error with status 2`() async throws {
    let run = try await test(try await package("exit 64"), "-- --odd")
    #expect(run.status == 2)
    let withoutPackage = try await Workspace().run("test")
    #expect(withoutPackage.status == 2)
    #expect(withoutPackage.errors.contains("there is no Package.swift here"))
  }

  @Test func `the page is opened by the desktop's program`() async throws {
    let workspace = try await package(Self.tests, scenarios: ["a": Sample.document])
    // The tool does not wait for the program, so the shell does.
    try await workspace.addProgram("xdg-open", "echo \"$1\" > opened")
    let run = try await workspace.shell(
      "mkfifo opened; export TOOL PATH=\"$PWD/bin:$PATH\"; \"$TOOL\" test --open > /dev/null & cat opened; wait"
    )
    #expect(run.output.hasSuffix("/.build/backup-testing/report.html\n"))
  }

  @Test func `a changed source starts the tests again, and an interruption ends both processes`()
    async throws
  {
    let workspace = try await package(
      """
      echo; if [ -e Sources ]; then echo $$ > child; kill -INT "$(cat tool)"; exec sleep 600; fi
      mkdir Sources; echo 'let x = 1' > Sources/x.swift
      """)
    let run = try await workspace.shell(
      "echo $$ > tool; export PATH=\"$PWD/bin:$PATH\"; exec \"$TOOL\" test --watch")
    #expect(run.status == -SIGINT)
    #expect(run.output == "swift test\n\nswift test\n\n")
    #expect(run.errors.contains("waiting for a change of the package's files"))
    let child = try workspace.text(of: "child").trimmingCharacters(in: .newlines)
    #expect(kill(try #require(Int32(child)), 0) != 0)
  }
}
#endif
