import TestSupport
import Testing

/// The report of `run` as a page.
@Suite struct HTMLReportTests {
  @Test func `each scenario is a part of the page, open where it failed`() async throws {
    let workspace = try Workspace(scenarios: [
      "a/good": Sample.document, "bad": Sample.lostMark, "broken": Sample.failingStep,
    ])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run", "--format", "html", "--output", "r.html")
    #expect(run.status == 1)
    let page = try workspace.text(of: "r.html")
    #expect(
      page.contains(
        "<details data-scenario=\"a/good\"><summary><span class=\"passed\">passed</span>"))
    #expect(page.contains("<details data-scenario=\"bad\" open>"))
    #expect(page.contains("<details data-scenario=\"broken\" open>"))
    #expect(page.contains("3 scenarios in 3 runs: 1 passed"))
    #expect(page.contains("6 |     { save: &quot;Library/list.db&quot;, size: 20 },"))
    #expect(page.contains("<code>Scenarios/bad.json5:6:5</code>: reapply-on-save: "))
    #expect(!page.contains("<script"))
    #expect(!page.contains(workspace.folder.path))
  }

  @Test func `a time line says what is in each backup and why, runs alike together`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    _ = try await workspace.run("run")
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("<h3>iOS 5.0.1, 5.1 and 18, iCloud</h3>") || page.contains("<h3>iOS "))
    #expect(page.contains("<b>step 2</b> (line 6) backup &quot;first&quot;: 1 file, 1.0 KB"))
    #expect(
      page.contains(
        "<span class=\"in\">in, resized</span> <span class=\"path\">Documents/a.txt</span>"))
    #expect(page.contains(": was 1.0 KB</li>"))
  }

  @Test func `a golden file's difference is shown with its lines`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("size: \"1 KB\"", with: "size: \"2 KB\"", in: "Scenarios/a.json5")
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("the outcome differs from its golden file (Golden/a.golden:"))
    #expect(page.contains("- | + Documents/a.txt  1000"))
    #expect(page.contains("+ | + Documents/a.txt  2000"))
  }

  @Test func `mistaken files, orphans and texts of scenarios are shown as text`() async throws {
    let workspace = try Workspace(scenarios: ["a": "{ title: \"<b>&\", stps: [] }"])
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("<span class=\"error\">unreadable</span> <span class=\"path\">a</span>"))
    #expect(page.contains("{ title: &quot;&lt;b&gt;&amp;&quot;, stps: [] }"))
    try workspace.write(
      Sample.document.replacing("A document", with: "<i>A</i> document"), to: "Scenarios/a.json5")
    _ = try await workspace.run("run")
    try workspace.write("", to: "Golden/orphan.golden")
    let second = try await workspace.run("run", "--format", "html").output
    #expect(second.contains("</span>: &lt;i&gt;A&lt;/i&gt; document is in"))
    #expect(second.contains("<li class=\"path\">Golden/orphan.golden</li>"))
  }

  @Test func `a run that stops says why in its page`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.performing])
    let page = try await workspace.run("run", "--format", "html").output
    #expect(page.contains("nothing was tested, because every scenario was skipped"))
    #expect(page.contains("<span class=\"soft\">skipped</span>"))
  }
}
