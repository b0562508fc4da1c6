#if os(macOS) || os(Linux)
import Testing

/// `explain` prints why each backup includes or leaves out each item.
@Suite struct ExplainCommandTests {
  @Test func `every item of every backup is explained`() async throws {
    let workspace = try Workspace(scenarios: ["marks/a": Sample.lostMark])
    for name in ["marks/a", "Scenarios/marks/a.json5"] {
      let run = try await workspace.run("explain", name)
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      #expect(
        run.output == """
          marks/a: A file saved again has lost its mark
          system iOS \(Sample.newest), iCloud
          step 4 (line 7) backup "after": 1 file, 20 bytes
            Documents/
                included: neither the item nor a directory above it is marked
            Library/Caches/
                excluded: Library/Caches is never backed up
            Library/Preferences/
                included: neither the item nor a directory above it is marked
            Library/list.db
                included: its mark was lost in step 3 (line 6), save Library/list.db
            tmp/
                excluded: tmp is never backed up

          """)
    }
    #expect(!workspace.exists("Golden"))
  }

  @Test func `a scenario that only a test can run is an error, which says what to run`()
    async throws
  {
    let workspace = try Workspace(scenarios: [
      "a": "{ title: 'A', steps: [{ perform: 'save' }, { backup: 'one' }] }"
    ])
    let run = try await workspace.run("explain", "a")
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "then explain its results: 'BACKUP_TESTING_REPORT=results.json swift test', and 'backup-testing "
          + "explain a --results results.json'"))
  }

  @Test func `one item is explained at each backup`() async throws {
    let text = """
      {
        title: "Marked after the first backup",
        steps: [
          { backup: "before" },
          { save: "Documents/a\\nb.txt", size: 1 },
          { backup: "unmarked" },
          { exclude: "Documents/a\\nb.txt" },
          { backup: "marked" },
        ],
      }
      """
    let workspace = try Workspace(scenarios: ["a": text])
    for path in ["Documents/a\nb.txt", "Documents/a\\nb.txt"] {
      let run = try await workspace.run("explain", "a", path)
      #expect(run.status == 0)
      #expect(
        run.output == """
          a: Marked after the first backup
          system iOS \(Sample.newest), iCloud
          step 1 (line 4) backup "before": 0 files, 0 bytes
          step 3 (line 6) backup "unmarked": 1 file, 1 byte
            Documents/a\\nb.txt
                included: neither the item nor a directory above it is marked; created in step 2 (line 5)
          step 5 (line 8) backup "marked": 0 files, 0 bytes
            Documents/a\\nb.txt
                excluded: own mark, set in step 4 (line 7)

          """)
    }
  }

  @Test func `a path that never existed is an error with the nearest path`() async throws {
    let workspace = try Workspace(scenarios: ["a": Sample.document])
    let similar = try await workspace.run("explain", "a", "Documents/b.txt")
    #expect(similar.status == 2)
    #expect(similar.output.isEmpty)
    #expect(
      similar.errors == """
        backup-testing: error: there is no item 'Documents/b.txt' in a; did you mean \
        'Documents/a.txt'?

        """)
    let different = try await workspace.run("explain", "a", "Somewhere/quite/different")
    #expect(different.errors.contains(", such as "))
    for path in ["../a", "/Documents", ""] {
      #expect(try await workspace.run("explain", "a", path).status == 2)
    }
  }
}
#endif
