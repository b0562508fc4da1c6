import BackupContainer
import BackupDevice
import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts
import TestSupport
import Testing

@testable import BackupReports

/// An inspection examines a container without the run that filled it.
@Suite struct InspectionTests {
  /// A scenario with classes and budgets that ``wrongTree()`` breaks.
  private static let scenarioText = """
    {
      title: "Classes",
      app: { bundleIdentifier: "com.example.cinema" },
      files: {
        "Documents/offline/**": "offline", "Documents/support": "support", "Documents/key": "secret",
        "Documents/cached": "cached", "Documents/**": "critical", "Library/Caches/own": "critical",
        "Library/db/**": "support", "tmp/**": "temporary",
      },
      budget: 10, storage: "1 KB",
      steps: [{ save: "Documents/a", size: 1 }, { backup: "b" }],
    }
    """

  /// Returns a container with files of 1,000 bytes.
  private func tree(_ paths: [String], marked: [String: ExclusionMark] = [:]) throws -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    for path in paths {
      let path = try ContainerPath(path)
      if let parent = path.parent { tree.ensureDirectory(parent) }
      tree.insert(FileTree.Item(.file(FileTree.FileInformation(size: 1000))), at: path)
    }
    for (path, mark) in marked { tree.modify(try ContainerPath(path)) { $0.marks = mark } }
    return tree
  }

  /// Returns a container with every problem that an inspection can find.
  private func wrongTree() throws -> FileTree {
    try tree(
      [
        "Documents/offline/1", "Documents/support", "Documents/key", "Documents/cached",
        "Documents/mine/list", "Library/Caches/own", "Library/db/a.sqlite",
        "Library/db/a.sqlite-wal", "Library/other/x", "Documents/old/1",
      ],
      marked: [
        "Documents/mine/list": .resourceValue, "Library": .resourceValue,
        "Library/db/a.sqlite": .resourceValue, "Documents/old": .extendedAttribute,
      ])
  }

  /// Inspects a container under the newest system, with or without the classes of ``scenarioText``.
  private func inspection(
    of tree: FileTree, withClasses: Bool = false
  ) throws -> Inspection {
    var context = Inspection.Context(named: "c", on: try #require(SystemProfile.newest))
    if withClasses { context.addScenario(try Scenario(text: Self.scenarioText)) }
    return Inspection(of: tree, context)
  }

  @Test func `the tally counts included files, and excluded files by their reason`() throws {
    let tree = try tree(
      [
        "Documents/a", "Documents/b", "Library/Caches/c", "tmp/d",
        "Library/Preferences/x.plist.1234567",
      ],
      marked: ["Documents/b": .resourceValue])
    let tally = try inspection(of: tree).tally
    #expect(ItemState.allCases.map { tally.total[$0].fileCount } == [1, 1, 2, 1])
    #expect(ItemState.allCases.map { tally.total[$0].byteCount } == [1000, 1000, 2000, 1000])
    #expect(tally.total.bytes == 5000)
  }

  @Test func `a folder counts the files of its subfolders, to a depth of three folders`() throws {
    let tree = try tree(["Documents/a/b/c/d/e", "Documents/a/b/f", "Library/g", "h"])
    let tally = try inspection(of: tree).tally
    let shown = tally.foldersBySize.map { "\($0.path?.description ?? "") \($0.sums.fileCount)" }
    #expect(shown == ["Documents 2", "Documents/a 2", "Documents/a/b 2", "Library 1"])
    #expect(tally.total.fileCount == 4)
  }

  @Test func `the tally keeps the largest files, and of equal ones the first`() throws {
    var tree = try tree((0..<600).map { "Documents/\($0 + 1000)" })
    tree.insert(
      FileTree.Item(.file(FileTree.FileInformation(size: 2000))), at: try ContainerPath("z"))
    let largest = try inspection(of: tree).tally.largestFiles.map(\.path.description)
    #expect(largest.count == InspectionTally.maximumLargestFileCount)
    #expect(largest.prefix(3) == ["z", "Documents/1000", "Documents/1001"])
  }

  @Test func `without classes only rules that need none are checked`() throws {
    let inspection = try inspection(of: try wrongTree())
    #expect(
      Set(inspection.findings.map(\.rule)) == ["system-directory-marked", "deprecated-mark"])
    #expect(inspection.notes.contains { $0.hasPrefix("not checked: secret-backed-up, user-data-") })
    #expect(inspection.notes.contains { $0.contains("reapply-on-save") && $0.contains("a run") })
  }

  @Test func `with a scenario's classes and budgets, their rules are checked too`() throws {
    let rules = Set(try inspection(of: try wrongTree(), withClasses: true).findings.map(\.rule))
    #expect(
      rules.isSuperset(of: [
        "secret-backed-up", "system-directory-marked", "user-data-purgeable",
        "user-data-excluded", "recreatable-data-backed-up", "undeclared-item", "directory-name",
        "storage-budget",
      ]), "\(rules.sorted())")
  }

  @Test func `a file of the system needs no class`() throws {
    let inspection = try inspection(
      of: try tree([
        ".com.apple.mobile_container_manager.metadata.plist", "SystemData/a",
        "Library/SplashBoard/b", "Library/beside",
      ]), withClasses: true)
    let undeclared = inspection.findings.filter { $0.rule == "undeclared-item" }
    #expect(undeclared.map { $0.path?.description } == ["Library/beside"])
  }

  @Test func `a budget limits the backup, and storage limits the device`() throws {
    let inspection = try inspection(
      of: try tree(["Documents/a", "Library/Caches/own"]), withClasses: true)
    #expect(
      inspection.findings.map(\.rule) == ["user-data-purgeable", "backup-budget", "storage-budget"])
    #expect(inspection.budgetUses.map(\.used) == [1000, 2000])
    #expect(inspection.budgetUses.map(\.limit) == [10, 1000])
  }

  @Test func `no message mentions a step`() throws {
    let inspection = try inspection(of: try wrongTree(), withClasses: true)
    let words = inspection.findings.flatMap {
      [$0.message, $0.advice] + [$0.note].compactMap(\.self)
    }
    let causes = inspection.backupSet.decisions.map(inspection.cause)
    for text in words + causes {
      #expect(!text.contains("step") && !text.contains("the start") && !text.contains("(line"))
    }
    #expect(inspection.findings.allSatisfy { $0.step.number == .found })
  }

  @Test func `these rules need a run`() {
    let runRules = RuleList.all.filter { $0.basis == .run }.map(\.name)
    #expect(
      runRules == [
        "refused-place", "exists-before-set", "mark-unavailable", "reapply-on-save",
        "exists-before-use", "readable-before-use", "sealed-file-unreadable",
        "value-of-other-device", "user-data-lost",
        "half-done",
        "stale-container-path", "names-missing-file", "temporary-left-behind",
      ])
  }

  @Test func `a reviewer's questions are answered in bytes`() throws {
    let tally = try inspection(of: try wrongTree(), withClasses: true).tally
    let answers = tally.appReviewSums.map {
      "\($0.words): \($0.sum.fileCount), \($0.sum.byteCount)"
    }
    #expect(
      answers == [
        "can be downloaded or created again, but backed up: 3, 3000",
        "the user's own, but not backed up: 2, 2000",
        "secret, but backed up: 1, 1000",
        "without a class, but backed up: 0, 0",
      ])
  }

  @Test func `each cause names the mark or the directory that decides`() throws {
    let inspection = try inspection(
      of: try tree(
        ["Documents/a/b", "Library/Caches/c", "beside/d"], marked: ["Documents/a": .resourceValue]))
    func cause(_ path: String) throws -> String? {
      inspection.backupSet.decision(on: try ContainerPath(path)).map(inspection.cause)
    }
    #expect(try cause("Documents/a") == "own mark")
    #expect(try cause("Documents/a/b") == "marked directory Documents/a")
    #expect(try cause("Library/Caches/c") == "Library/Caches is never backed up")
    for path in ["Library", "Library/Preferences"] {
      #expect(try cause(path) == "neither the item nor a directory above it is marked")
    }
  }

  /// Inspects a folder on disk under the newest system, with marks from the text of a list.
  private func inspection(
    of folder: TestFolder, marks: String? = nil
  ) throws -> Inspection {
    let found = try FoundContainer(at: folder.path)
    let context = Inspection.Context(named: "c", on: try #require(SystemProfile.newest))
    return Inspection(
      of: [found], context,
      marks: try marks.map { [("list", try ContainerList(Array($0.utf8)))] } ?? [])
  }

  @Test func `a note says that a container without marks may have lost them`() throws {
    let notes = try inspection(of: try TestFolder(["Documents/a": "1"])).notes
    #expect(notes.first?.hasPrefix("no item has a mark, and a copy may have lost its ext") == true)
  }

  @Test func `a list that a build left in the container is not counted, and a note names it`()
    throws
  {
    let inspection = try inspection(
      of: try TestFolder([
        "Documents/container.list": "1", "Documents/after-update.list": "1", "tmp/a": "2",
      ]))
    #expect(inspection.tally.total.fileCount == 1)
    #expect(inspection.notes.contains { $0.contains("'Documents/container.list' in it") })
  }

  @Test func `a list adds marks and the app's name, and notes say how it differs`() throws {
    let list = """
      # container-list 1 com.example.app 18
      Documents/a\tf\t1\tcom.apple.metadata:com_apple_backup_excludeItem\t2\t
      Documents/gone\tf\t1\t\t3\t

      """
    let inspection = try inspection(
      of: try TestFolder(["Documents/a": "1", "b": "2"]), marks: list)
    #expect(inspection.tally.total[.mark].fileCount == 1)
    #expect(inspection.context.appIdentifier == "com.example.app")
    let expected = [
      "none of", "1 item marked by the list list", "1 item of the list is missing here, such as",
      "2 items here, but not in the list", "the list was written under iOS 18, not under",
    ].dropFirst()
    for start in expected {
      #expect(inspection.notes.contains { $0.hasPrefix(start) }, "\(start): \(inspection.notes)")
    }
  }

  @Test(arguments: [(".0.0", false), (".1", false), ("", false), ("9", true), (".0.0.0", true)])
  func `a note names the system of a list if it has other rules`(
    suffix: String, hasOtherRules: Bool
  ) throws {
    let system = try #require(SystemProfile.newest).version
    let version = suffix == "9" ? "9.3.5" : "\(system)\(suffix)"
    let notes = try inspection(
      of: try TestFolder(["Documents/a": "1"]),
      marks: "# container-list 1 com.example.app \(version)\n"
    ).notes
    let expected = "the list was written under iOS \(version), not under \(system)"
    #expect(notes.contains(expected) == hasOtherRules, "\(notes)")
  }

  private func changes(from earlier: FileTree, to later: FileTree) throws -> InspectionChanges {
    InspectionChanges(
      from: try inspection(of: earlier).inspectedFiles, named: "old", to: try inspection(of: later))
  }

  @Test func `each change has its kind, and the largest comes first`() throws {
    var earlier = try tree(
      ["Documents/same", "Documents/gone", "Documents/marked", "Documents/unmarked", "Library/a"],
      marked: ["Documents/unmarked": .resourceValue])
    let small = FileTree.Item(.file(FileTree.FileInformation(size: 9)))
    earlier.insert(small, at: try ContainerPath("Documents/grown"))
    let later = try tree(
      [
        "Documents/same", "Documents/marked", "Documents/unmarked", "Documents/grown", "Library/a",
        "Documents/new/file", "Library/Caches/new",
      ], marked: ["Documents/marked": .resourceValue])
    let changes = try changes(from: earlier, to: later)
    #expect(
      changes.all.map { "\($0.kind) \($0.path) \($0.byteDifference)" } == [
        "removed Documents/gone 1000", "excluded Documents/marked 1000",
        "added Documents/new/file 1000", "included Documents/unmarked 1000",
        "added Library/Caches/new 1000", "changed Documents/grown 991",
      ])
    #expect(
      changes.headline == "991 bytes more in the backup; 2 files added, 1 removed, "
        + "1 now in the backup, 1 no longer in the backup, 1 changed")
    #expect(changes.all[0].statesInWords == ["in the backup, 1.0 KB", "missing"])
    #expect(
      changes.all[1].statesInWords == ["in the backup, 1.0 KB", "excluded by a mark, 1.0 KB"])
    let reversed = try self.changes(from: later, to: earlier)
    #expect(reversed.headline.hasPrefix("991 bytes less in the backup; 1 file added, 2 removed"))
  }

  @Test func `sizes that would look equal are given in bytes`() throws {
    var (earlier, later) = (FileTree(), FileTree())
    for size: Int64 in [1_000_001, 1_000_002] {
      (earlier, later) = (later, FileTree())
      let item = FileTree.Item(.file(FileTree.FileInformation(size: size)))
      later.insert(item, at: try ContainerPath("tmp"))
    }
    let changes = try changes(from: earlier, to: later)
    #expect(changes.all.first?.statesInWords.last?.hasSuffix("1.0 MB (1000002 bytes)") == true)
  }

  @Test func `names that differ in their bytes are different files`() throws {
    let changes = try changes(
      from: try tree(["Documents/\u{E9}"]), to: try tree(["Documents/e\u{301}"]))
    #expect(changes.headline == "as many bytes in the backup; 1 file added, 1 removed")
  }

  @Test func `equal containers have no changes`() throws {
    let tree = try tree(["Documents/a", "tmp/b"])
    let changes = try changes(from: tree, to: tree)
    #expect(changes.all.isEmpty)
    #expect(changes.headline == "no file differs in size or in whether it is backed up")
    #expect(changes.notes.isEmpty)
  }

  @Test func `a note says that the earlier inspection lacks marks or a container`() throws {
    let later = try tree(
      ["Documents/a", "group.x:/b"], marked: ["Documents/a": .resourceValue])
    let notes = try changes(from: try tree(["Documents/a"]), to: later).notes
    #expect(notes.count == 2)
    #expect(
      notes.first == "'group.x' is only in the inspected containers, so its files count as added")
    #expect(notes.last?.hasPrefix("no file of old has a mark, and a copy may have lost") == true)
    #expect(try changes(from: later, to: later).notes.isEmpty)
    let reversedNotes = try changes(from: later, to: try tree(["Documents/a"])).notes
    #expect(reversedNotes == ["'group.x' is only in old, so its files count as removed"])
  }

  @Test func `unreadable items are not compared`() throws {
    var later = try tree(["Documents/a"])
    let unreadable = FileTree.Item(.unreadable(reason: "no permission"))
    later.insert(unreadable, at: try ContainerPath("Documents/b"))
    let changes = try changes(from: try tree(["Documents/a", "Documents/b/c"]), to: later)
    #expect(changes.all.isEmpty)
    #expect(changes.notes == ["1 item could not be read, and is not compared"])
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{ "format": 2, "system": "18", "items": [] }"#,
      #"{ "format": 1, "system": "18", "items": {} }"#,
      #"{ "format": 1, "system": "18", "items": [{ "path": 1, "kind": "file", "state": "in" }] }"#,
      #"{ "format": 1, "system": "18", "items": [{ "path": "a", "kind": "file", "state": "on", "size": 1 }] }"#,
      #"{ "format": 1, "system": "18", "items": [{ "path": "a", "kind": "file", "state": "in", "size": -1 }] }"#,
      #"{ "format": 1, "system": "18", "items": [{ "path": "a", "kind": "file", "state": "in", "size": 1e30 }] }"#,
      #"{ "format": 1, "system": "18", "items": [{ "path": "../a", "kind": "file", "state": "in" }] }"#,
      LongText(String(repeating: "[", count: 100_000)),
    ] as [LongText])
  func `other JSON is no inspection`(json: LongText) {
    #expect(InspectedFiles(json: Array(json.text.utf8)) == nil)
  }

  @Test func `untrusted JSON causes no overflow and no line break`() throws {
    let items = (0..<3).map {
      #"{ "path": "a\#($0)\\nb", "kind": "file", "state": "in", "size": 9223372036854775807 }"#
    }
    let json =
      "{ \"format\": 1, \"system\": \"18\", \"app\": \"b.c\", \"items\": [\(items.joined(separator: ","))] }"
    let files = try #require(InspectedFiles(json: Array(json.utf8)))
    let changes = InspectionChanges(
      from: files, named: "old", to: try inspection(of: try tree(["Documents/a"])))
    #expect(changes.all.map(\.path.description) == ["a0\\nb", "a1\\nb", "a2\\nb", "Documents/a"])
    #expect(changes.headline.contains("1 file added, 3 removed"))
    #expect(changes.backupGrowth < Int64.min / 2)
    #expect(changes.notes.contains { $0.hasPrefix("old was inspected for iOS 18, this for ") })
  }

  @Test func `each container has its sums, and a single container has an owner`() throws {
    let both = try inspection(of: try tree(["Documents/a", "top", "group.x:/b", "group.x:/tmp/c"]))
    #expect(both.containers.map(\.identifier) == [nil, "group.x"])
    #expect(both.containers.map(\.sums.fileCount) == [2, 2])
    #expect(both.tally.total.fileCount == 4)
    #expect(both.ownerIdentifier == nil)
    var group = FileTree()
    group.insert(try tree(["b"]), ofContainer: ContainerPath.Component(containerOf: "group.x"))
    let alone = try inspection(of: group)
    #expect(alone.ownerIdentifier == "group.x")
    #expect(alone.containers.map(\.sums.fileCount) == [1])
  }

  @Test func `a list applies only to the container that it names`() throws {
    let app = try TestFolder(["Documents/a": "1"])
    let group = try TestFolder(["a": "1", "Documents/container.list": "1"])
    var context = Inspection.Context(named: "c", on: try #require(SystemProfile.newest))
    context.setIdentifier(app: "a.b")
    let lists = try ["group.x", "other"].map { owner in
      let text =
        "# container-list 1 \(owner) 18\na\tf\t1\tcom.apple.MobileBackup,"
        + "com.apple.metadata:com_apple_backup_excludeItem\t2\t\n"
      return (name: "\(owner).list", contents: try ContainerList(Array(text.utf8)))
    }
    let inspection = Inspection(
      of: [
        try FoundContainer(at: app.path), try FoundContainer(at: group.path, of: "group.x"),
      ], context, marks: lists)
    #expect(inspection.backupSet.decision(on: try ContainerPath("group.x:/a"))?.isIncluded == false)
    #expect(inspection.backupSet.decision(on: try ContainerPath("Documents/a"))?.isIncluded == true)
    #expect(inspection.tally.total.fileCount == 2)
    #expect(inspection.notes.contains("1 item marked by the list group.x.list"))
    #expect(inspection.notes.contains("not used: the list other.list, which is of 'other'"))
    #expect(inspection.context.appIdentifier == "a.b")
  }
}
