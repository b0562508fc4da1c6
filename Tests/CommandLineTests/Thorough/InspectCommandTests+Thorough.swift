#if os(macOS) || os(Linux)
import BackupContainer
import BackupFileTree
import BackupRules
import Foundation
import TestSupport
import Testing

@testable import BackupVerdicts
extension InspectCommandTests {
  @Test func `the version of iOS decides which marks count`() async throws {
    let run = try await workspace().run(
      "inspect", "c", "--marks", "marks.txt", "--system", "5.0.1", "--format", "json")
    #expect(try report(run).totals["mark"]?.files == 0)
    let unknown = try await workspace().run("inspect", "c", "--system", "5.x")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("--system: unknown version of iOS '5.x'"))
  }

  @Test func `the container of a group has its own rules`() async throws {
    let workspace = try workspace()
    try workspace.write("x", to: "g/beside/x")
    try workspace.write("x", to: "g/Library/Caches/x")
    let asApp = try await workspace.run("inspect", "g", "--format", "json")
    #expect(try report(asApp).totals["in"]?.files == 0)
    let group = try await workspace.run(
      "inspect", "group.com.example=g", "--format", "json")
    #expect(try report(group).totals["in"]?.files == 1)
    #expect(try report(group).items.first?.path == "group.com.example:")
    try workspace.write(Self.note("group.com.example", 7), to: "g/\(Self.noteName)")
    let known = try await workspace.run("inspect", "g")
    #expect(known.output.hasPrefix("g, group.com.example: what a backup by iOS"))
    #expect(known.output.contains("  group.com.example:/beside/x  in the backup"))
    #expect(!known.output.contains("containers:"))
  }

  @Test func `an identifier can be given, and a note says that the scenario has another app`()
    async throws
  {
    let workspace = try workspaceOfContainers()
    try workspace.write("x", to: "plain/Documents/x")
    let given = try await workspace.run("inspect", "com.example.cinema.share=plain", "c")
    #expect(given.output.contains("com.example.cinema.share:/Documents/x"))
    let otherApp = try await workspace.run("inspect", "other", "--files", "s.json5")
    #expect(
      otherApp.output.contains(
        "note: the container is of com.example, but the scenario names com.example.cinema"))
    #expect(otherApp.output.hasPrefix("other, com.example: what a backup by iOS"))
    let path = try await workspace.run("inspect", "./com.example=c")
    #expect(path.errors.contains("./com.example=c: no such folder"))
  }

  @Test func `containers are compared with those of the same app, group or extension`()
    async throws
  {
    let workspace = try workspaceOfContainers()
    let same = try await workspace.run("inspect", "c", "g", "--before", "g", "--before", "c")
    #expect(same.output.contains("changes since g and c:\n  no file differs in size"))
    let less = try await workspace.run("inspect", "c", "g", "--before", "c")
    #expect(less.output.contains("; 2 files added\n"))
    #expect(less.output.contains("note: 'group.com.example' is only in the inspected containers"))
    try workspace.write("x", to: "plain/Documents/own")
    let plain = try await workspace.run(
      "inspect", "g", "--before", "group.com.example=plain")
    #expect(plain.output.contains("group.com.example:/Documents/own  in the backup, 1 byte → "))
    let others = try await workspace.run("inspect", "c", "--before", "other")
    #expect(others.output.contains("Documents/own  in the backup, 11 bytes → in the backup, 18"))
  }

  @Test(
    arguments: [
      (["c", "c"], "c: this is a second container of 'com.example.cinema'; remove one"),
      (["c", "other"], "other: 'com.example' is not an extension of 'com.example.cinema'"),
      (["c", "odd"], "odd: 'org.odd.plugin' is not an extension of 'com.example.cinema'"),
      (["c", "plain"], "plain: it is not known whose container this is; write com.example"),
      (["a b=plain"], "a b=plain: 'a b' is not the identifier of an app, a group or an extension"),
      (["c", "--before", "s.json5"], "s.json5: this is not an inspection; expected a container's"),
      (["c", "--before", "pipe"], "pipe: this is not a folder"),
      (["c", "--before", "none"], "none: no such folder"),
      (["c", "--before", "g", "--output", "g/r.txt"], "g/r.txt: this is in g, which"),
      (["c", "g", "--output", "g/r.txt"], "g/r.txt: this is in g, which"),
      (["group.a=plain", "--output", "plain/r.txt"], "plain/r.txt: this is in plain, which"),
      (["group.a=g"], "g: according to iOS, this container is of 'group.com.example'; remove"),
      (["com.a.b=plain", "group.a=./plain"], "./plain: this is the folder plain, or in it, or"),
      (["com.a.b=plain", "group.a=plain/Documents"], "plain/Documents: this is the folder plain,"),
      (["c", "--before", "old.json", "--output", "old.json"], "old.json: this file is read by"),
    ])
  func `containers that do not belong together are an error in one line`(
    arguments: [String], message: String
  ) async throws {
    let workspace = try workspaceOfContainers()
    try workspace.write("x", to: "plain/Documents/x")
    let json = #"{ "format": 1, "container": "c", "items": [] }"#
    try workspace.write(json, to: "old.json")
    #expect(mkfifo(workspace.url("pipe").path, 0o600) == 0)
    let before = try workspace.folder.names()
    let run = try await workspace.run(["inspect"] + arguments)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try workspace.folder.names() == before)
  }

  @Test(
    arguments: [
      (["inspect"], "an argument is missing"),
      (["inspect", "missing"], "missing: no such folder; check the path"),
      (
        ["inspect", "s.json5"],
        "s.json5: this is not a folder; name the folder that contains "
          + "Documents"
      ),
      (["inspect", "empty"], "empty: the folder is empty"),
      (["inspect", "/"], "/: this is the root of all folders; name the folder that contains"),
      (["inspect", "c", "--marks", "none"], "none: the list cannot be read: no such file"),
      (["inspect", "c", "--marks", "c"], "c: the list cannot be read: this is a folder"),
      (["inspect", "c", "--files", "none"], "none"),
      (
        ["inspect", "c", "--output", "c/report.txt"],
        "c/report.txt: this is in c, which the command only reads"
      ),
      (
        ["inspect", "c", "--output", "link/report.txt"],
        "this is in c, which the command only "
          + "reads"
      ),
      (
        ["inspect", "c", "--output", "dangling"],
        "dangling: this is in c, which the command only "
          + "reads"
      ),
      (
        ["inspect", "c", "--output", "indirect"],
        "indirect: this is in c, which the command only "
          + "reads"
      ),
      (["inspect", "c", "--marks", "marks.txt", "--output", "marks.txt"], "this file is read"),
      (
        ["inspect", "c", "--files", "s.json5", "--output", "s.json5"],
        "s.json5: this is a "
          + "scenario file, or"
      ),
      (["inspect", "c", "--format", "hmtl"], "did you mean 'html'?"),
    ])
  func `a mistake is an error in one line, and nothing is written`(
    arguments: [String], message: String
  ) async throws {
    let workspace = try workspace()
    try workspace.folder.makeFolder("empty")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("link").path, withDestinationPath: "c/Documents")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("dangling").path, withDestinationPath: "c/report.txt")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("indirect").path, withDestinationPath: "link/../report.txt")
    let before = try workspace.folder.names()
    let run = try await workspace.run(arguments)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try workspace.folder.names() == before)
    #expect(try workspace.text(of: "marks.txt") == Self.list)
  }

  @Test func `a report is written to the destination of a link`() async throws {
    let workspace = try workspace()
    try workspace.folder.makeFolder("out")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.url("link").path, withDestinationPath: "out/report.txt")
    let run = try await workspace.run("inspect", "c", "--output", "link")
    #expect(run.status == 0)
    #expect(try workspace.text(of: "out/report.txt").hasPrefix("c: what a backup by iOS"))
    #expect(FileKind(at: workspace.url("link").path, followingLinks: false) == .link)
  }

  @Test func `the tool does not wait for a pipe that should be a list`() async throws {
    let workspace = try workspace()
    #expect(mkfifo(workspace.url("pipe").path, 0o600) == 0)
    let run = try await workspace.run("inspect", "c", "--marks", "pipe")
    #expect(run.status == 2)
    #expect(run.errors.contains("pipe: the list cannot be read: this is"))
  }

  @Test func `special characters in names are escaped`() async throws {
    let workspace = try workspace()
    try workspace.write("1", to: "c/Documents/<script>\n'\"\u{202E}")
    let text = try await workspace.run("inspect", "c")
    #expect(text.output.contains("Documents/<script>\\n'\"\\u{202E}  in the backup"))
    let page = try await workspace.run("inspect", "c", "--format", "html").output
    #expect(page.contains("Documents/<wbr>&lt;script&gt;\\n&#39;&quot;\\u{202E}</td>"))
    #expect(page.contains("\"\\u003cscript>\\\\n'\\\"\\\\u{202E}\""))
    #expect(page.components(separatedBy: "<script").count == 3)
  }

  @Test func `the marks of a container on disk count`() async throws {
    let workspace = try workspace()
    let container = try FakeContainer(in: workspace.url("."))
    defer { try? container.remove() }
    let path = try ContainerPath("Documents/m")
    try container.apply(.write(path, .zeros(7), method: .inPlace))
    try container.apply(.setMark(.resourceValue, on: path, to: true))
    let run = try await workspace.run("inspect", container.url.path, "--format", "json")
    #expect(try report(run).totals["mark"]?.bytes == 7)
    #expect(try container.scan()[path]?.marks == .resourceValue)
  }

  @Test func `an app, its groups and its extensions are in one report`() async throws {
    let workspace = try workspaceOfContainers()
    let run = try await workspace.run("inspect", "g", "e", "c")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("g, e and c, com.example.cinema: what a backup by iOS"))
    for line in [
      "  com.example.cinema  in the backup 28 bytes", "  group.com.example  in the backup 17 bytes",
      "  com.example.cinema.widget  in the backup 25 bytes",
    ] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    let json = try await workspace.run("inspect", "c", "e", "g", "--format", "json")
    let report = try report(json)
    #expect(report.app == "com.example.cinema")
    #expect(report.totals["in"]?.bytes == 70)
    #expect(
      report.containers.map(\.identifier) == [
        "com.example.cinema", "group.com.example", "com.example.cinema.widget",
      ])
    #expect(report.containers.map { $0.states["in"]?.bytes } == [28, 17, 25])
    #expect(!report.notes.contains { $0.contains("'app' has the bundle identifier") })
    let page = try await workspace.run("inspect", "c", "e", "g", "--format", "html").output
    #expect(page.contains("<h2>Containers</h2>"))
    #expect(page.contains("<tr><td class=\"path\">group.com.example</td>"))
    #expect(page.contains(/<title>com\.example\.cinema: [\d.]+ \w+ of [^<]* would be backed up/))
  }

  @Test func `a mistake in a list is an error with its line`() async throws {
    let workspace = try workspace()
    try workspace.write("\(Self.list)x\ty\n", to: "marks.txt")
    let run = try await workspace.run("inspect", "c", "--marks", "marks.txt")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("marks.txt:3:1: error: the line has 2 fields; expected 5 or more"))
  }

  @Test func `an .xcappdata is inspected, and a report replaces an earlier one`() async throws {
    let workspace = try workspace()
    try workspace.write("1", to: "x.xcappdata/AppData/Documents/a")
    for _ in 0..<2 {
      let run = try await workspace.run(
        "inspect", "x.xcappdata", "--format", "json", "--output", "r.json")
      #expect(run.status == 0)
      #expect(run.output.isEmpty && run.errors.isEmpty)
    }
    #expect(try workspace.text(of: "r.json").contains("\"path\" : \"Documents/a\""))
  }

  @Test func `unreadable items are reported in each format`() async throws {
    let workspace = try workspace()
    let deep = Array(repeating: "d", count: ContainerPath.deepestPath)
    try workspace.write("1", to: "c/Documents/\(deep.joined(separator: "/"))/file")
    let text = try await workspace.run("inspect", "c")
    #expect(text.output.contains("\n1 item could not be read:\n  Documents/d/d/"))
    #expect(text.status == 2)
    let json = try await workspace.run("inspect", "c", "--format", "json")
    #expect(try report(json).items.filter { $0.kind == "unreadable" }.map(\.state) == ["other"])
    let wrong = try await workspace.run("inspect", "c", "--files", "s.json5")
    #expect(wrong.status == 1)
    let page = try await workspace.run("inspect", "c", "--format", "html")
    #expect(page.output.contains("<h2>Could not be read</h2>\n<p>1 item</p>"))
  }

  @Test func `the page has a static part and data, and no path of the machine`() async throws {
    let workspace = try workspace()
    let command = ["inspect", "c", "--files", "s.json5", "--format", "html"]
    let time = ["SOURCE_DATE_EPOCH": "1000000000"]
    let page = try await workspace.run(command, environment: time).output
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src"))
    #expect(page.contains(/<title>com\.example\.cinema: [\d.]+ \w+ of [^<]* would be backed up/))
    for part in [
      "<h2>In all</h2>", "What App Review may object to", "<h2>Budget</h2>", "<h2>Folders</h2>",
      "<section data-without-script><h2>Largest files</h2>", "<section data-needs-script hidden>",
      "recreatable-data-backed-up",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(!page.contains(workspace.folder.path))
    let secondRun = try await workspace.run(command, environment: time)
    #expect(secondRun.output == page)
    let start = try #require(page.range(of: "id=\"data\">")?.upperBound)
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)?.lowerBound)
    let data = try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8))
    let items = (data as? [String: Any])?["items"] as? [[Any]]
    #expect(items?.count == 7)
    #expect(items?.map { $0[1] as? String }.contains("1.mp4") == true)
  }
}
#endif
