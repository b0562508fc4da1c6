#if os(macOS) || os(Linux)
import BackupContainer
import BackupDevice
import BackupFileTree
import BackupFolders
import Foundation
import TestSupport
import Testing

/// `compare-backup --probe` reads the probe app's answers from a backup.
///
/// The probe app runs in this process, and the kit simulates its backup.
struct ProbeAnswersTests {
  private static let app = "com.example.backup-probe"
  private static let compareProbe = ["compare-backup", "out", "--probe"]

  /// Launches the probe app for the first time, in the folder `home`.
  private static func launched() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.folder.makeFolder("home")
    _ = ContainerProbe.launch(in: workspace.url("home").path)
    try workspace.folder.setPermissions(0o644, of: "home/Documents/without-permissions")
    // On Linux, Foundation does not copy a file's mark, so this question is removed from the list.
    let list = try workspace.text(of: "home/Documents/container.list").split(separator: "\n")
      .filter { !$0.contains("a copy of a marked file") }
    try workspace.write(list.joined(separator: "\n") + "\n", to: "home/Documents/container.list")
    return workspace
  }

  /// Changes the container's tree, and writes its backup to the folder `out`.
  private static func backUp(
    _ workspace: Workspace, app: String = app, _ change: (inout FileTree) throws -> Void = { _ in }
  ) throws {
    // In this process, the lists have the identifier of another bundle.
    for name in workspace.files(in: "home/Documents") where name.hasSuffix(".list") {
      let bundleOfTests = Bundle.main.bundleIdentifier ?? "unknown"
      let list = try workspace.text(of: "home/Documents/\(name)")
      try workspace.write(
        list.replacing(" 2 \(bundleOfTests) ", with: " 2 \(app) ", maxReplacements: 1),
        to: "home/Documents/\(name)")
    }
    var tree = try FoundContainer(at: workspace.url("home").path).tree
    try change(&tree)
    let profile = try #require(SystemProfile.newest)
    let backupSet = BackupSimulator(profile: profile, backups: .local).backUp(tree)
    _ = try SimulatedBackup(backupSet, of: tree, app: app).write(
      of: BackupOrigin(
        app: app, appVersion: "1", system: profile.version, seed: app, date: 0),
      to: workspace.url("out").path
    ) { path, url in
      try FileManager.default.copyItem(
        at: workspace.url("home").appendingPathComponent(path.string), to: url)
    }
  }

  @Test func `each question has an answer, and the record has no other data of the phone`()
    async throws
  {
    let workspace = try Self.launched()
    try workspace.write("private", to: "home/Documents/secret name.txt")
    try Self.backUp(workspace)
    let run = try await workspace.run(Self.compareProbe + ["--record", "phone.json"])
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(
      run.output.hasPrefix(
        "\(Self.app) on iPhone0,0, iOS \(Sample.newest) (00A000), unencrypted, 2001-01-01, by the rules "
          + "of iOS \(Sample.newest)\nas predicted ("), "\(run.output)")
    for line in [
      "a plain file: in the backup", "in tmp: not in the backup",
      "marked by the attribute: not in the backup, since the mark is kept",
      "marked by the old attribute: in the backup, although the mark is kept",
      "marked, then saved atomically: in the backup, since the mark is lost",
      "marked, then replaced by replaceItemAt: the item could not be made: The",
    ] { #expect(run.output.contains("\n  \(line)"), "\(line)") }
    let text = try workspace.text(of: "phone.json")
    #expect(!text.contains("secret") && !text.contains("Documents/plain"))
    let record = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let answers = try #require(record?["answers"] as? [String: String])
    #expect(answers["in tmp"] == "not in the backup")
    #expect(
      (record?.keys).map(Set.init)
        == ["format", "kit", "system", "build", "model", "backup", "answers"])
    #expect(record?["backup"] as? String == "unencrypted")
    let secondRecord = try await workspace.run(Self.compareProbe + ["--record", "phone.json"])
    #expect(secondRecord.errors.contains("phone.json: the file already exists; name a new file"))
    let inside = try await workspace.run(Self.compareProbe + ["--record", "out/phone.json"])
    #expect(inside.errors.contains("this is in out, which the command only reads"))
    let json = try await workspace.run(Self.compareProbe + ["--format", "json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["otherThanPredicted"] as? [String] == [])
    #expect(object?["notAnswered"] as? [String] != nil)
  }

  @Test func `answers that differ from the prediction give status 1`() async throws {
    let workspace = try Self.launched()
    try Self.backUp(workspace) { tree in
      tree.modify(try ContainerPath("Documents/marked.bin")) { $0.marks = [] }
      tree.modify(try ContainerPath("Documents/plain.txt")) { $0.marks = .resourceValue }
    }
    let run = try await workspace.run(Self.compareProbe)
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        """
        other than predicted (2):
          marked by the attribute: in the backup, although the mark is kept
          a plain file: not in the backup
        as predicted
        """), "\(run.output)")
    // Without the questions, a comparison by the same list has the same differences.
    let compared = try await workspace.run("compare-backup", "out")
    #expect(compared.status == 1)
    for path in ["Documents/marked.bin", "Documents/plain.txt"] {
      #expect(compared.output.contains("\n  \(path)"), "\(compared.output)")
    }
    // The third difference is the copied file, which `launched` removed from the list.
    #expect(compared.output.contains(", 3 differences, "), "\(compared.output)")
  }

  @Test func `a list after an event answers what the event has kept`() async throws {
    let workspace = try Self.launched()
    let home = workspace.url("home").path
    for path in ["Library/Caches/file", "tmp/file", "Own/file", "SystemData/file", "StoreKit/file"]
    {
      try FileManager.default.removeItem(atPath: "\(home)/\(path)")
    }
    _ = ContainerProbe.writeList(after: .offload, in: home)
    try Self.backUp(workspace)
    let run = try await workspace.run(Self.compareProbe + ["--record", "phone.json"])
    #expect(run.output.contains(", after an offload, by the rules"), "\(run.output)")
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.contains("\n  in tmp: missing\n"))
    #expect(run.output.contains("\n  marked by the attribute: still there, and the mark is kept\n"))
    #expect(try workspace.text(of: "phone.json").contains("\"after\" : \"offload\""))
    // The items that the offload kept are the items before the update.
    try FileManager.default.removeItem(atPath: "\(home)/Documents/plain.txt")
    try workspace.folder.setPermissions(0o600, of: "home/Documents/.hidden")
    _ = ContainerProbe.writeList(after: .update, in: home)
    try FileManager.default.removeItem(at: workspace.url("out"))
    try Self.backUp(workspace)
    let update = try await workspace.run(Self.compareProbe)
    #expect(update.status == 1)
    #expect(
      update.output.contains(
        "after an update of the app, by the rules of iOS \(Sample.newest)\nother than predicted (1):\n"
          + "  a plain file: missing\n"), "\(update.output)")
    #expect(
      update.output.contains("\n  a hidden file: still there; its permissions have changed\n"))
    #expect(!update.output.contains("  in tmp: "))
  }

  @Test func `a backup without the probe app, or with a damaged list, is an error`() async throws {
    let workspace = try Self.launched()
    let list = try workspace.text(of: "home/Documents/container.list")
    func errors(_ text: String, _ moreArguments: String...) async throws -> String {
      try workspace.write(text, to: "home/Documents/container.list")
      try Self.backUp(workspace)
      let run = try await workspace.run(Self.compareProbe + moreArguments)
      try FileManager.default.removeItem(at: workspace.url("out"))
      #expect(run.status == 2)
      #expect(run.output == "")
      return run.errors
    }
    // The list of an app that is not the probe app has no questions.
    let linesWithoutQuestions = list.split(separator: "\n")
      .map { $0.split(separator: "\tasks=")[0] }
    #expect(
      try await errors(linesWithoutQuestions.joined(separator: "\n")).contains(
        "the backup contains no list of the probe app; make the app with 'backup-testing probe-app'"
      ))
    let damaged = try await errors(list.replacing("\tf\t", with: "\tx\t", maxReplacements: 1))
    #expect(damaged.contains("/Documents/container.list:3:"), "\(damaged)")
    #expect(damaged.contains(": error: unknown kind 'x'; expected f, d, l"), "\(damaged)")
    #expect(
      try await errors(list, "--app", "com.example.prob").contains(
        "the backup contains no list of the probe app 'com.example.prob'; make the app"))
    #expect(
      try await errors(list + "../a\tf\t1\t\t1\t\n").contains(
        ": '../a' is not a path in a container"))
    #expect(
      try await errors(list + "Documents/twice\tf\t1\t\t1\t\tasks=a plain file\n").contains(
        "'a plain file' is asked twice; ask it of one item"))
    let heading = list.prefix { $0 != "\n" }
    let otherHeading = "# container-list 2 com.example.other 1"
    #expect(
      try await errors(list.replacing(heading, with: otherHeading)).contains(
        "AppDomain-\(Self.app)/Documents/container.list: this is the list of another app or "))
    try workspace.write(
      "# container-list 2 \(Self.app) 1 after=purge\n", to: "home/Documents/after-update.list")
    #expect(
      try await errors(list).contains(
        "/Documents/after-update.list: this is the list of another app or occasion; have"))
  }

  @Test func `a backup without answers is not as predicted`()
    async throws
  {
    let workspace = try Self.launched()
    try workspace.write(
      """
      # container-list 2 \(Self.app) 26.1
      Documents/a\t-\t0\t\t0\tno \u{1B}[31mroom\u{202E}\tasks=one\\ntwo

      """, to: "home/Documents/container.list")
    try Self.backUp(workspace)
    let run = try await workspace.run(Self.compareProbe)
    #expect(run.status == 1)
    #expect(
      run.output.hasSuffix(
        "not answered (1):\n  one\\ntwo: the item could not be made: no \\u{1B}[31mroom\\u{202E}\n"),
      "\(run.output)")
  }

  @Test func `a record is not replaced by the output of the same name`() async throws {
    let workspace = try Self.launched()
    try Self.backUp(workspace)
    let run = try await workspace.run(Self.compareProbe + ["--record", "one", "--output", "one"])
    #expect(run.status == 2)
    #expect(run.errors.contains("one: cannot be written: "))
  }
}
#endif
