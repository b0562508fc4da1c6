#if os(macOS) || os(Linux)
import Testing

/// The exact output of runs that fail.
@Suite struct FailureTextTests {
  @Test func `a changed size is shown with both lines and the reason`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("a.txt  1000", with: "a.txt  1001", in: "Golden/a.golden")
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        Scenarios/a.json5:6:5: error: step 2 (backup "first"): the outcome differs from its \
        golden file (Golden/a.golden:5)
          6 |     { backup: "first" },
            golden    now     - only in the golden file, + only in this run
                 2      2   system newest, iCloud
                 3      3   backup "first": 1 file, 1000 bytes
                 4      4     in   Documents/
                 5        -   in   Documents/a.txt  1001 bytes
                        5 +   in   Documents/a.txt  1000 bytes
                 6      6     in   Library/
                 7      7     out  Library/Caches/  (location)
                 8      8     in   Library/Preferences/
            why: step 2: Documents/a.txt has had this size since step 1 (line 5), save Documents/a.txt
            do: if this is intended, run: swift run backup-testing accept a
            do: to review all changes, run: swift run backup-testing review

        """)
  }

  @Test func `a changed step is shown as a difference with the reason`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.expectedLostMark])
    _ = try await workspace.run("run")
    try workspace.replace(
      "{ save: \"Library/list.db\", size: 20 },\n", with: "", in: "Scenarios/a.json5")
    try workspace.replace("step: 3", with: "step: 2", in: "Scenarios/a.json5")
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "error: step 3 (backup \"after\"): the outcome differs from its golden file (Golden/a.golden:3)"
      ))
    #expect(run.errors.contains("-   in   Library/list.db  20 bytes\n"))
    #expect(run.errors.contains("+   out  Library/list.db  (own mark)\n"))
    #expect(
      run.errors.contains(
        "why: step 3: Library/list.db is excluded: own mark, set in step 2 (line 5)\n"))
  }

  @Test func `a run under one of several systems names the golden file's own lines`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.matrix])
    _ = try await workspace.run("run")
    let lines = try workspace.text(of: "Golden/a.golden").split(separator: "\n")
    let section = try #require(lines.firstIndex(of: "system iOS 18, iCloud"))
    let line =
      try #require(lines[section...].firstIndex(of: "  in   Documents/a.txt  2000 bytes"))
      + 1
    try workspace.replace("a.txt  2000", with: "a.txt  2001", in: "Golden/a.golden")
    let run = try await workspace.run("run", "--system", "18")
    #expect(run.status == 1)
    #expect(
      run.errors.hasPrefix(
        "Scenarios/a.json5:8:5: error: step 4 (backup \"second\"): the outcome differs from its "
          + "golden file (Golden/a.golden:\(line))\n"))
    #expect(run.errors.contains("\(line)        -   in   Documents/a.txt  2001 bytes\n"))
    #expect(run.errors.contains("since step 3 (line 7), save Documents/a.txt\n"))
  }

  @Test func `a missing item is reported as missing`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    _ = try await workspace.run("run")
    try workspace.replace("a.txt  1000", with: "b.txt  1000", in: "Golden/a.golden")
    let run = try await workspace.run("run")
    #expect(
      run.errors.contains(
        "why: step 2: Documents/b.txt was missing when this backup was taken\n"))
    #expect(run.errors.contains("why: step 2: Documents/a.txt is included: neither the item nor"))
  }

  @Test func `an unexpected finding is shown at the step that caused it`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.lostMark])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n")
    try #require(lines.count == 4)
    #expect(lines[0].hasPrefix("Scenarios/a.json5:6:5: error: reapply-on-save: 'Library/list.db'"))
    #expect(lines[1] == "  6 |     { save: \"Library/list.db\", size: 20 },")
    #expect(lines[2].hasPrefix("    do: "))
    #expect(
      lines[3]
        == "sources, in the article What iOS does: apple-optimizing, apple-resource-key, eidinger, "
        + "swift-foundation")
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 failed\nfailed: a\n")
  }

  @Test func `a missing expected finding is shown with the finding that occurred instead`()
    async throws
  {
    let text = Sample.expectedLostMark.replacing("step: 3", with: "step: 1")
    let workspace = try Workspace(scenarios: ["a": text])
    _ = try await workspace.run("run")
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        """
        Scenarios/a.json5:9:12: error: expected the finding reapply-on-save at step 1, but it did \
        not occur; correct or remove this entry of 'expect'
          9 |   expect: [{ rule: "reapply-on-save", step: 1 }],
            occurred instead: reapply-on-save of severity 'error' at step 3 on 'Library/list.db'

        """))
  }

  @Test func `a step that fails is shown with its reason`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.failingStepOnError])
    let run = try await workspace.run("run")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("Scenarios/a.json5:5:5: error: step 2 (remove Documents/b.txt): "))
    #expect(run.errors.hasSuffix("\n  5 |     { remove: \"Documents/b.txt\" },\n"))
    #expect(run.output == "1 scenario in 1 run: 0 passed, 1 stopped early\nfailed: a\n")
  }

  @Test func `a mistake is shown with its line and a caret`() async throws {
    let text = Sample.document.replacing("size: \"1 KB\"", with: "sise: \"1 KB\"")
    let workspace = try Workspace(scenarios: ["a": text])
    for command in ["run", "check"] {
      let run = try await workspace.run(command)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      let lines = run.errors.split(separator: "\n")
      #expect(run.errors.contains("Scenarios/a.json5:5:32: error: unknown key 'sise'; did"))
      #expect(lines.suffix(2).first == "  5 |     { save: \"Documents/a.txt\", sise: \"1 KB\" },")
      #expect(lines.last == "    |                                ^")
    }
    #expect(!workspace.exists("Golden"))
  }

  @Test func `a long line is cut around the place`() async throws {
    let filler = String(repeating: "/* filler */ ", count: 1000)
    let workspace = try Workspace(scenarios: ["a": "\(filler){ titel: 1 } \(filler)"])
    let run = try await workspace.run("check")
    let lines = run.errors.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.contains("'titel'") })
    #expect(lines[place + 1].utf8.count < 200)
    let caret = try #require(lines[place + 2].firstIndex(of: "^"))
    let column = lines[place + 2].distance(from: lines[place + 2].startIndex, to: caret)
    #expect(lines[place + 1].dropFirst(column).hasPrefix("titel"))
  }
}
#endif
