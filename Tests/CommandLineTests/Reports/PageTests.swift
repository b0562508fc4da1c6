#if os(macOS) || os(Linux)
import BackupDiagnostics
import Foundation
import TestSupport
import Testing

/// The HTML page of a run.
@Suite struct PageTests {
  @Test func `a problem's second line says what to do, and its rule is a link to the sources`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["bad": Sample.lostMark])
    let page = try await workspace.page("run", "--output", "p.html")
    let start = try #require(page.range(of: "<p><span class=\"error\">error</span> "))
    let lines = page[start.upperBound...].split(separator: "\n").prefix(2)
    #expect(
      lines[0].hasPrefix(
        "<a href=\"Scenarios/bad.json5#L6\"><code>Scenarios/<wbr>bad.json5:6:5</code></a>: "
          + "<a href=\"#rule-reapply-on-save\"><code>reapply-on-save</code></a>: &#39;Library/<wbr>"
      ))
    #expect(lines[1].hasPrefix("<p class=\"fix\"><b>Do:</b> set isExcludedFromBackup "))
    #expect(page.contains("<dt id=\"rule-reapply-on-save\">"))
    #expect(page.contains("<a href=\"https://developer.apple.com/documentation/foundation/optim"))
    #expect(!page.contains("source: "))
  }

  @Test func `errors come before warnings`() async throws {
    let text = """
      {
        title: "A warning and an error", files: { "Library/a": "offline" },
        steps: [
          { save: "Library/other", size: 1 }, { save: "Library/a", size: 1 }, { backup: "b" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["a": text])
    let page = try await workspace.page("run")
    let warning = try #require(page.range(of: "<span class=\"warning\">warning</span>"))
    let error = try #require(page.range(of: "<span class=\"error\">error</span>"))
    #expect(error.lowerBound < warning.lowerBound)
  }

  @Test func `the head says the package, the commit, the time and the version`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let commit = "0123456789abcdef0123456789abcdef01234567"
    try workspace.write("let package = Package(\n  name: \"Cin<ema\")", to: "Package.swift")
    try workspace.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try workspace.write("# pack-refs\n\(commit) refs/heads/main\n", to: ".git/packed-refs")
    _ = try await workspace.run("run")
    let head =
      "Cin&lt;ema · commit 0123456789 · 2001-09-09 01:46 UTC · backup-testing \(Kit.version)</p>"
    let page = try await workspace.page("run")
    #expect(page.contains("<p class=\"soft origin\">\(head)"))
    #expect(page.contains("<title>Cin&lt;ema: No scenario failed.</title>"))
    #expect(page.contains("<h1 class=\"verdict passed\">No scenario failed.</h1>"))
    #expect(try await workspace.page("run") == page)
    // Results keep the commit and the time of their run.
    _ = try await workspace.run(
      "run", "--format", "json", "--output", "r.json", environment: Workspace.time)
    try workspace.write(String(repeating: "f", count: 40), to: ".git/HEAD")
    #expect(try await workspace.page("report", "r.json").contains(head))
    #expect(try await workspace.page("explore").contains("commit ffffffffff"))
    try workspace.write("ref: refs/../../Package.swift\n", to: ".git/HEAD")
    #expect(try await !workspace.page("explore").contains("commit "))
  }

  @Test func `links are relative, and lead only to files of the project`() async throws {
    let workspace = try Workspace(scenarios: ["bad": Sample.lostMark])
    try workspace.write("", to: "out/deep/x")
    let place = "out/deep/p.html"
    let page = try await workspace.page("run", "--output", place)
    #expect(page.contains("<a href=\"../../Scenarios/bad.json5#L6\">"))
    _ = try await workspace.run("run", "--format", "json", "--output", "r.json")
    for file in ["javascript:alert(1)//", "/etc/passwd", "../x.json5", "//example.com/x", "a//b"] {
      try workspace.replaceFile(by: file)
      let page = try await workspace.page("report", "q.json")
      let addresses = page.matches(of: /href="([^"]*)"/).map { String($0.1) }
      let others = addresses.filter { !$0.hasPrefix("#") && !$0.hasPrefix("https://") }
      #expect(others.isEmpty, "\(file)")
    }
    try workspace.replaceFile(by: "javascript:alert(1)")
    let escaped = try await workspace.page("report", "q.json")
    #expect(escaped.contains("<a href=\"javascript%3Aalert%281%29#L6\">"))
  }

  @Test func `the source around a line of code is shown, only from files of the project`()
    async throws
  {
    let workspace = try Workspace(scenarios: ["bad": Sample.lostMark])
    let code = (1...9).map { "let line\($0) = \"<\($0)>\"\n" }.joined()
    try workspace.write(code, to: "p/Sources/Movie.swift")
    try workspace.write(code, to: "outside.swift")
    for (path, target) in [
      ("p/Sources/Link.swift", "../../outside.swift"), ("p/Sources/In.swift", "Movie.swift"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: workspace.url(path).path, withDestinationPath: target)
    }
    for path in ["p/.hidden/Movie.swift", "p/Sources/secret.txt"] {
      try workspace.write(code, to: path)
    }
    _ = try await workspace.run("run", "--format", "json", "--output", "r.json")
    let text = try workspace.text(of: "r.json")
    for (file, isShown) in [
      ("Sources/Movie.swift", true), ("Sources/In.swift", true), ("Sources/Link.swift", false),
      ("../outside.swift", false), (workspace.url("outside.swift").path, false),
      (".hidden/Movie.swift", false), ("Sources/secret.txt", false),
    ] {
      let place = #"{"function":"f()","file":"\#(file)","line":5,"isAsynchronous":false}"#
      try workspace.write(
        text.replacing("\"details\" :", with: "\"code\" : [\(place)], \"details\" :"),
        to: "p/r.json")
      let page = try await workspace.shell("cd p && $TOOL report r.json --format html").output
      #expect(
        page.contains("<mark>    5  let line5 = &quot;&lt;5&gt;&quot;</mark>") == isShown, "\(file)"
      )
      #expect(page.contains("    2  let line2 = ") == isShown, "\(file)")
      #expect(!page.contains("let line1 = ") && !page.contains(workspace.folder.path), "\(file)")
    }
  }

  @Test func `only a page with many scenarios has a search`() async throws {
    let sixScenarios = Dictionary(uniqueKeysWithValues: (1...6).map { ("s\($0)", Sample.document) })
    let pageOfSix = try await Workspace(scenarios: sixScenarios).page("run")
    #expect(pageOfSix.contains("id=\"search\""))
    // All scenarios have the same verdict, so the page has no filter for verdicts.
    #expect(!pageOfSix.contains("id=\"verdict\""))
    let fiveScenarios = sixScenarios.filter { $0.key != "s1" }
    let pageOfFive = try await Workspace(scenarios: fiveScenarios).page("run")
    #expect(!pageOfFive.contains("id=\"search\""))
  }
}

extension Workspace {
  fileprivate static let time = ["SOURCE_DATE_EPOCH": "1000000000"]

  /// Runs a command with a fixed time, and returns its page.
  fileprivate func page(_ arguments: String...) async throws -> String {
    let run = try await run(arguments + ["--format", "html"], environment: Self.time)
    let output = arguments.firstIndex(of: "--output").map { arguments[$0 + 1] }
    return try output.map { try text(of: $0) } ?? run.output
  }

  /// Writes the results `r.json` as `q.json`, with another file of the scenario.
  fileprivate func replaceFile(by file: String) throws {
    try write(text(of: "r.json").replacing("Scenarios/bad.json5", with: file), to: "q.json")
  }
}
#endif
