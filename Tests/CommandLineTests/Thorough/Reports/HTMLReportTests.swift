#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// The report of `run` as a page.
@Suite struct HTMLReportTests {
  @Test func `each scenario is a section of the page, which is open if the scenario failed`()
    async throws
  {
    let workspace = try Workspace(scenarios: [
      "a/good": Sample.document, "bad": Sample.lostMark, "broken": Sample.failingStepOnError,
    ])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--format", "html", "--output", "r.html")
    #expect(run.status == 1)
    let page = try workspace.text(of: "r.html")
    #expect(page.contains("2 of 3 scenarios failed, for 2 causes."))
    let good = "<details id=\"s0\" data-scenario=\"a/good\" data-verdict=\"passed\">"
    #expect(page.contains("\(good)<summary><span class=\"passed\">passed</span>"))
    #expect(page.contains("data-scenario=\"bad\" data-verdict=\"failed\" open>"))
    #expect(page.contains("data-scenario=\"broken\" data-verdict=\"error\" open>"))
    #expect(page.contains("3 scenarios in 3 runs: 1 passed"))
    #expect(page.contains("6 |     { save: &quot;Library/list.db&quot;, size: 20 },"))
    #expect(page.contains("<code>Scenarios/<wbr>bad.json5:6:5</code></a>: "))
    #expect(!page.contains(workspace.folder.path))
  }

  @Test func `the page's data has the states of each item, and joins equal runs`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    _ = try await workspace.report("html")
    let page = try await workspace.report("html")
    let script = page.split(separator: "id=\"data\">").last
    let data = try #require(script?.split(separator: "</script>").first)
    let runs = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [[[Any]]]
    let run = try #require(runs?.first?.first)
    #expect((run[0] as? String)?.hasPrefix("iOS 5.0.1, iCloud; iOS 5.1, iCloud") == true)
    let lanes = try #require(run[2] as? [[Any]])
    #expect(lanes.first?.first as? String == "Documents/a.txt")
  }

  @Test func `a golden file's difference is shown with its lines`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("size: \"1 KB\"", with: "size: \"2 KB\"", in: "Scenarios/a.json5")
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("the outcome differs from its golden file (Golden/<wbr>a.golden:"))
    #expect(page.contains("-   in   Documents/a.txt  1000 bytes"))
    #expect(page.contains("+   in   Documents/a.txt  2000 bytes"))
  }

  @Test func `an item in a golden file and in the run is shown side by side`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("size: \"1 KB\"", with: "size: \"2 KB\"", in: "Scenarios/a.json5")
    try workspace.replace(
      "{ backup: \"first\" }",
      with: "{ save: \"tmp/a\", size: 1 }, { remove: \"tmp/a\" }, { backup: \"first\" }",
      in: "Scenarios/a.json5")
    let page = try await workspace.run("run", "--format", "html").output
    #expect(
      page.contains("class=\"soft\">iOS \(Sample.newest), iCloud: backup &quot;first&quot;</th>"))
    #expect(
      page.contains(
        """
        <tr><th scope="row" class="path">Documents/<wbr>a.txt</th>\
        <td class="in" data-label="Golden file">backed up, 1000 bytes</td>\
        <td class="in" data-label="This run">backed up, 2000 bytes</td></tr>
        """))
    #expect(page.contains("data-copy=\"swift run backup-testing accept a\""))
    // On CI, there is no new golden file to accept.
    try workspace.write("", to: "Golden/a.golden.new")
    let onCI = try await workspace.run("run", "--format", "html", environment: ["CI": "1"]).output
    #expect(onCI.contains("data-label=\"This run\""))
    #expect(!onCI.contains("data-copy="))
  }

  @Test func `an item that the golden file or the run does not list is shown too`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.report("html")
    try workspace.replace("a.txt", with: "b.txt", in: "Scenarios/a.json5")
    let page = try await workspace.report("html")
    let missingCell = "<td class=\"missing\" data-label="
    #expect(page.contains("Documents/<wbr>b.txt</th>\(missingCell)\"Golden file\">not listed</td>"))
    #expect(page.contains("backed up, 1000 bytes</td>\(missingCell)\"This run\">not listed</td>"))
  }

  @Test func `a change under one version of iOS is not shown for another version`() async throws {
    let text = """
      {
        title: "Two systems", system: ["8", "18"],
        steps: [{ save: "Documents/a", size: 1 }, { backup: "x" }],
      }
      """
    let workspace = try Workspace(scenarios: ["a": text])
    _ = try await workspace.report("html")
    try workspace.replace(
      "{ backup", with: "{ save: \"Documents/b\", size: 1, on: \"8\" }, { backup",
      in: "Scenarios/a.json5")
    let page = try await workspace.report("html")
    #expect(page.contains("iOS 8, iCloud: backup &quot;x&quot;"))
    #expect(page.contains("Documents/<wbr>b</th>"))
    #expect(!page.contains("Documents/<wbr>a</th>"))
    #expect(!page.contains("iOS 18, iCloud: backup"))
  }

  @Test func `events of the same kind are compared in order, even if step numbers have changed`()
    async throws
  {
    let text = """
      {
        title: "Two purges",
        steps: [
          { save: "Library/Caches/a", size: 1 }, { save: "Library/Caches/b", size: 1 },
          { purge: "lowStorage" },
          { save: "Library/Caches/c", size: 1 }, { purge: "lowStorage" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["a": text])
    _ = try await workspace.report("html")
    try workspace.replace(
      "{ save: \"Library/Caches/b\", size: 1 },", with: "", in: "Scenarios/a.json5")
    try workspace.replace(
      "{ save: \"Library/Caches/c\"", with: "{ save: \"Library/Caches/b\"", in: "Scenarios/a.json5")
    let page = try await workspace.report("html")
    let missingCell = "<td class=\"missing\" data-label="
    #expect(page.contains("iCloud: purge lowStorage</th>"))
    #expect(page.contains("iCloud: purge lowStorage (2)</th>"))
    #expect(page.contains("purged, 1 byte</td>\(missingCell)\"This run\">not listed</td>"))
    #expect(
      page.contains("Library/<wbr>Caches/<wbr>b</th>\(missingCell)\"Golden file\">not listed</td>"))
    #expect(!page.contains("Library/<wbr>Caches/<wbr>a</th>"))
  }

  @Test func `a combining character before markup does not prevent its escaping`() async throws {
    let text =
      "{ title: 'x', steps: [{ save: 'Documents/\u{600}<!--', size: 1 }, { backup: 'b' }] }"
    let page = try await Workspace(scenarios: ["a": text]).report("html")
    #expect(
      page.utf8.split(separator: UInt8(ascii: "<")).allSatisfy { !$0.starts(with: "!--".utf8) })
  }

  @Test func `a folder in results is quoted in commands`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("size: \"1 KB\"", with: "size: \"2 KB\"", in: "Scenarios/a.json5")
    _ = try await workspace.run("run", "--format", "json", "--output", "r.json")
    try workspace.replace(
      ": \"Golden\"", with: ": \"x; touch y\"", in: "r.json")
    let page = try await workspace.run("report", "r.json", "--format", "html").output
    #expect(page.contains("accept a --golden &#39;x; touch y&#39;</code>"))
  }

  @Test func `mistakes, orphans and texts of scenarios are escaped`() async throws {
    let workspace = try Workspace(scenarios: ["a": "{ title: \"<b>&\", stps: [] }"])
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("<span class=\"error\">unreadable</span> <span class=\"path\">a</span>"))
    #expect(page.contains("{ title: &quot;&lt;b&gt;&amp;&quot;, stps: [] }"))
    try workspace.write(
      Sample.document.replacing("A document", with: "<i>A</i> document"), to: "Scenarios/a.json5")
    _ = try await workspace.run("run")
    try workspace.write("", to: "Golden/orphan.golden")
    let secondPage = try await workspace.run("run", "--format", "html").output
    #expect(secondPage.contains("</span>: &lt;i&gt;A&lt;/i&gt; document is in"))
    #expect(
      secondPage.contains(
        "<a href=\"Golden/orphan.golden#L1\"><code>Golden/<wbr>orphan.golden</code>"))
  }

  @Test func `a run that stops says why in its page`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("nothing was tested, because every scenario was skipped"))
    #expect(page.contains("<span class=\"soft\">skipped</span>"))
  }
}
#endif
