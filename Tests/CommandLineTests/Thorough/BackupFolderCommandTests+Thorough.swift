#if os(macOS) || os(Linux)
import BackupFileTree
import Foundation
import TestSupport
import Testing
extension BackupFolderCommandTests {
  @Test func `a backup without contents is not exported`() async throws {
    let scenario = "{ title: 'Off', backups: 'off', steps: [{ backup: 'a' }] }"
    let workspace = try Workspace(scenarios: ["off": scenario])
    let run = try await workspace.run("export-backup", "off", "--output", "out")
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "step 1: no folder was written, because the backup contains nothing"))
    #expect(!workspace.exists("out"))
  }

  @Test func `a container with unreadable items is not compared`() async throws {
    let workspace = try await Self.exported(step: 2)
    let deep = Array(repeating: "d", count: ContainerPath.deepestPath).joined(separator: "/")
    let compare = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
    ]
    // Items that no backup includes need not be readable.
    try workspace.write("1", to: "container/AppData/Library/Caches/\(deep)/file")
    #expect(try await workspace.run(compare).status == 0)
    try workspace.write("1", to: "container/AppData/Documents/\(deep)/file")
    let run = try await workspace.run(compare)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("container: 'Documents/d/d/"))
    #expect(run.errors.contains("cannot be read: "))
  }

  @Test(.enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"))
  func `an encrypted backup needs a password file or a terminal`() async throws {
    let workspace = try await Self.encrypted(password: "secret")
    let run = try await workspace.run(Self.compare)
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "the backup is encrypted; name a file whose first line is the password with "
          + "'--password-file'"))
  }

  @Test(
    .enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"),
    arguments: [("secret", 0), ("wrong", 2)])
  func `on a terminal, the tool asks for the password and does not show it`(
    password: String, status: Int32
  ) async throws {
    let workspace = try await Self.encrypted(password: "secret")
    // The terminal discards input from before the question, so the shell waits for the question.
    let run = try await workspace.shell(
      """
      { until grep -q Password shown || [ -e ended ]; do :; done; echo '\(password)'; } |
        { script --quiet --return --echo always --command \
            "\"$TOOL\" \(Self.compare.joined(separator: " "))" /dev/null > shown
          status=$?; touch ended; cat shown; exit $status; }
      """)
    #expect(run.status == status, "\(run.errors)\(run.output)")
    #expect(run.output.contains("Password of the backup: "))
    #expect(run.output.contains(status == 0 ? " 0 differences" : "the password is wrong"))
    #expect(!run.output.contains(password + "\r"))
  }

  @Test func `an app's own list replaces its container`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    #expect(
      try await workspace.run("export-backup", "a", "--step", "6", "--output", "out").status == 0)
    let mark = "com.apple.metadata:com_apple_backup_excludeItem"
    let list = """
      # container-list 1 com.example.cinema 18.1
      Documents\td\t0\t\t1\t
      Documents/list.json\tf\t2\t\t2\t
      Documents/movie.mp4\tf\t5\t\(mark)\t3\t
      Library/Preferences\td\t0\t\t4\t

      """
    try workspace.write(list, to: "container/Documents/container.list")
    let arguments = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container",
    ]
    let run = try await workspace.run(arguments + ["container"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("  excluded by a mark: Documents/movie.mp4\n"))
    #expect(
      run.output.contains(
        "\nThe container of com.example.cinema was read from the list that the app wrote on iOS "
          + "18.1.\n"))
    let withListPath = try await workspace.run(arguments + ["container/Documents/container.list"])
    #expect(withListPath.output == run.output)
    try workspace.replace(
      "com.example.cinema", with: "a.b", in: "container/Documents/container.list")
    let withOtherList = try await workspace.run(arguments + ["container"])
    #expect(withOtherList.errors.contains("this is the list of 'a.b', not of 'com.example.cinema'"))
  }

  @Test func `without a folder, the newest backup in the user's home is compared`() async throws {
    let workspace = try await Self.exported(step: 2)
    try Self.change("Manifest.plist", in: workspace) { $0["Date"] = Date.distantFuture }
    let export = try await workspace.run("export-backup", "a", "--step", "6", "--output", "new")
    let place = "home/Library/Application Support/MobileSync/Backup"
    try workspace.folder.makeFolder(place)
    let environment = ["CFFIXED_USER_HOME": workspace.url("home").path]
    let withoutBackups = try await workspace.run("compare-backup", environment: environment)
    #expect(withoutBackups.status == 2)
    #expect(
      withoutBackups.errors.contains("/Backup: the folder contains no backup; back up a device"))
    for folder in ["out", "new"] {
      let device = try #require(
        workspace.files(in: folder).first { $0.hasSuffix("/Manifest.db") }?.dropLast(12))
      try FileManager.default.moveItem(
        at: workspace.url("\(folder)/\(device)"), to: workspace.url("\(place)/\(folder)"))
    }
    try workspace.write("not a list", to: "\(place)/broken/Manifest.plist")
    let run = try await workspace.run(
      "compare-backup", "--container", "container", environment: environment)
    #expect(run.status == 0, "\(export.errors)\(run.errors)\(run.output)")
    // A date in the future does not count.
    #expect(run.output.hasPrefix("com.example.cinema on iPhone0,0, iOS \(Sample.newest)"))
    #expect(run.output.contains("\n1 backup skipped, such as "))
    // Only the newer backup has the group.
    #expect(run.output.contains("No container of group.com.example.cinema was given,"))
    let withoutFolder = try await workspace.run(
      "compare-backup", environment: ["CFFIXED_USER_HOME": workspace.url("out").path])
    #expect(withoutFolder.errors.contains("the Finder has made no backup on this machine"))
  }

  @Test func `a folder of backups that macOS protects is an error that says how to get access`()
    async throws
  {
    guard Workspace.canRunAsOrdinaryUser else { return }
    let workspace = try await Self.exported(step: 2)
    try workspace.folder.makeFolder("MobileSync/Backup")
    try workspace.folder.setPermissions(0, of: "MobileSync")
    let run = try await workspace.runAsOrdinaryUser("compare-backup", "MobileSync/Backup")
    try workspace.folder.setPermissions(0o700, of: "MobileSync")
    #expect(run.status == 2)
    #expect(run.errors.contains("Privacy & Security > Full Disk Access"), "\(run.errors)")
  }

  @Test func `without an identifier, the app is that of the container, or the only app`()
    async throws
  {
    let workspace = try await Self.exported(step: 2)
    try Self.change("Manifest.plist", in: workspace) { values in
      var apps = values["Applications"] as? [String: Any] ?? [:]
      apps["com.example.other"] = ["CFBundleIdentifier": "com.example.other"]
      apps["com.apple.Maps"] = ["CFBundleIdentifier": "com.apple.Maps"]
      values["Applications"] = apps
    }
    let unknown = try await workspace.run("compare-backup", "out")
    #expect(unknown.status == 2)
    #expect(
      unknown.errors.contains(
        "'--app' is missing: --app ID; expected one of com.example.cinema, com.example.other, "
          + "com.apple.Maps"), "\(unknown.errors)")
    let note = try PropertyListSerialization.data(
      fromPropertyList: [
        "MCMMetadataIdentifier": "com.example.cinema", "MCMMetadataContentClass": 2,
      ], format: .xml, options: 0)
    try workspace.write(
      note, to: "container/AppData/.com.apple.mobile_container_manager.metadata.plist")
    let run = try await workspace.run("compare-backup", "out", "--container", "container")
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.hasPrefix("com.example.cinema on "))
  }

  @Test func `a list in the backup replaces the container`() async throws {
    let list =
      "# container-list 2 com.example.cinema 18.1\\nDocuments/a\\tf\\t1\\t\\t1\\t\\n"
      + "Documents/b\\tf\\t1\\t\\t1\\t\\nLibrary/Preferences\\td\\t0\\t\\t1\\t\\n"
    func compared(_ list: String) async throws -> Workspace.Outcome {
      let workspace = try Workspace(scenarios: [
        "a": """
        { title: "Listed", app: { bundleIdentifier: "com.example.cinema" }, steps: [
          { save: "Documents/a", size: 1 }, { save: "Documents/container.list", contents: "\(list)" },
          { backup: "all" } ] }
        """
      ])
      let export = try await workspace.run("export-backup", "a", "--output", "out")
      #expect(export.status == 0, "\(export.errors)")
      return try await workspace.run("compare-backup", "out")
    }
    let run = try await compared(list)
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        "missing from it (1):\n  Documents/b\nThe container of com.example.cinema was read from the "
          + "list that the app wrote on iOS 18.1.\n"), "\(run.errors)\(run.output)")
    let damaged = try await compared("no list")
    #expect(damaged.status == 2)
    #expect(damaged.errors.contains("Documents/container.list:1:1: error: this is not a container"))
  }

  @Test func `the manifest names the groups of the app`() async throws {
    let scenario = """
      { title: "Beside it", app: { bundleIdentifier: "com.example.cinema",
          groups: ["group.com.example.cinema.shared", "group.com.example.all", "group.org.other"] },
        steps: [
          { save: "Documents/a", size: 1 },
          { save: "group.com.example.cinema.shared:/a", size: 1 },
          { save: "group.com.example.all:/a", size: 1 }, { save: "group.org.other:/a", size: 1 },
          { backup: "all" },
        ] }
      """
    let workspace = try Workspace(scenarios: ["a": scenario])
    let export = try await workspace.run("export-backup", "a", "--output", "out")
    try #require(export.status == 0, "\(export.errors)")
    let run = try await workspace.run("compare-backup", "out", "--app", "com.example.cinema")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains(
        """
        No container of com.example.cinema and group.com.example.cinema.shared was given, so items \
        in the backup are judged only by place and name, and missing items are not noticed. To \
        compare everything, add --container PATH and --group group.com.example.cinema.shared=PATH.
        These groups in the backup were not compared: group.com.example.all, group.org.other. \
        If the app uses one, name it with --group.

        """), "\(run.output)")
    let withGroup = try await workspace.run(
      "compare-backup", "out", "--app", "com.example.cinema", "--group", "group.org.other")
    #expect(withGroup.status == 0, "\(withGroup.errors)")
    #expect(
      withGroup.output.contains(
        "These groups in the backup were not compared: group.com.example.all."))
  }

  @Test func `an unknown version of iOS is replaced by the nearest, with a note`() async throws {
    let workspace = try await Self.exported(step: 2)
    for (version, nearest) in [
      ("14.3", "14"), ("5.0.2", "5.0.1"), ("4.3", "5.0"), ("99", Sample.newest),
    ] {
      let run = try await workspace.run("compare-backup", "out", "--system", version)
      #expect(
        run.errors
          == "backup-testing: --system \(version): the kit has no rules of this version; those of iOS "
          + "\(nearest) are used\n")
      #expect(run.output.contains("by the rules of iOS \(nearest)\n"))
    }
    let inspect = try await workspace.run("inspect", "container", "--system", "14.3")
    #expect(inspect.errors.contains("those of iOS 14 are used"))
  }

  @Test(arguments: ["link", "folder", "pipe"])
  func `a list in a container must be a file, not a link, folder or pipe`(
    kind: String
  ) async throws {
    let workspace = try await Self.exported(step: 2)
    try workspace.write("# container-list 1 com.example.cinema 18.1\n", to: "outside.list")
    let place = workspace.url("container/AppData/Documents/container.list").path
    switch kind {
    case "link": symlink(workspace.url("outside.list").path, place)
    case "pipe": mkfifo(place, 0o600)
    default: mkdir(place, 0o700)
    }
    let compare = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
    ]
    let run = try await workspace.run(compare)
    #expect(run.status == 2)
    #expect(run.errors.contains("Documents/container.list: this is not a file"), "\(run.errors)")
    // A list is also ignored if Documents is a link.
    try workspace.write("# container-list 1 com.example.cinema 18.1\n", to: "Own/container.list")
    try workspace.folder.makeFolder("other/Library")
    symlink(workspace.url("Own").path, workspace.url("other/Documents").path)
    let withLink = try await workspace.run(compare.dropLast() + ["other"])
    #expect(!withLink.output.contains("was read from the list"))
    #expect(withLink.status == 1)
  }

  @Test func `a group's list replaces its container`() async throws {
    let workspace = try await Self.exported(step: 6)
    let group = "group.com.example.cinema"
    let list =
      "# container-list 1 \(group) 18.1\nLibrary\td\t0\t\t1\t\nwidget.json\tf\t7\t\t2\t\n"
    try workspace.write(list, to: "container/AppData/Documents/group.list")
    let compare = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container", "--group",
    ]
    let place = "container/AppData/Documents/group.list"
    let run = try await workspace.run(compare + ["\(group)=\(place)"])
    #expect(
      run.output.contains(
        "\nThe container of \(group) was read from the list"))
    #expect(
      run.output.contains(
        "predicted to be in the backup, but missing from it (1):\n  Documents/group.list\n"))
    #expect(run.output.contains(" 1 difference,"), "\(run.output)")
    try workspace.replace("widget.json", with: "other.json", in: place)
    let withOtherList = try await workspace.run(compare + ["\(group)=\(place)"])
    #expect(withOtherList.output.contains("  \(group):/other.json\n"))
    #expect(withOtherList.output.contains(" 3 differences,"), "\(withOtherList.output)")
    try workspace.replace(group, with: "com.example.cinema", in: place)
    let wrong = try await workspace.run(compare + ["\(group)=\(place)"])
    #expect(wrong.errors.contains("this is the list of 'com.example.cinema', not of '\(group)'"))
  }

  @Test func `without a container, the report says what it could not compare`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    #expect(
      try await workspace.run("export-backup", "a", "--step", "6", "--output", "out").status == 0)
    let run = try await workspace.run("compare-backup", "out", "--app", "com.example.cinema")
    #expect(run.status == 0)
    #expect(run.output.contains("\nNo container of com.example.cinema and group."))
    let withOtherApp = try await workspace.run("compare-backup", "out", "--app", "org.swift.other")
    #expect(withOtherApp.status == 2)
    #expect(
      withOtherApp.errors.contains(
        "the backup contains nothing of 'org.swift.other'; expected 'com.example.cinema'"))
    let mistyped = try await workspace.run("compare-backup", "out", "--app", "com.example.cinma")
    #expect(mistyped.status == 2)
    #expect(
      mistyped.errors.contains(
        "the backup contains nothing of 'com.example.cinma'; did you mean 'com.example.cinema'?"
      ))
  }

  @Test(arguments: [
    (["a", "--output", "out"], "name the step with --step: a takes a backup at step 2 and step 6"),
    (["a", "--step", "3", "--output", "out"], "--step: step '3' does not take a backup"),
    (["none", "--output", "out"], "none takes no backup; add a step such as { backup: "),
    (["a", "--step", "2"], "'--output' is missing"),
    (["a", "--step", "2", "--output", "Scenarios"], "the folder already exists; name a new one"),
    (["a", "--step", "2", "--output", "no/where/out"], "no/where"),
    (["--output", "out"], "an argument is missing"),
  ])
  func `an impossible export is an error, and writes nothing`(
    arguments: [String], message: String
  ) async throws {
    let withoutBackup = "{ title: 'No backup', steps: [{ save: 'Documents/a', size: 1 }] }"
    let workspace = try Workspace(scenarios: ["a": Self.scenario, "none": withoutBackup])
    let before = try workspace.folder.names()
    let run = try await workspace.run(["export-backup"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try workspace.folder.names() == before)
  }

  @Test(arguments: [
    (["Scenarios", "--app", "a.b"], "this is not a backup folder"),
    (["Scenarios/a.json5"], "this is not a folder; name the folder of a backup"),
    (["missing", "--app", "a.b"], "missing: "),
    (["Scenarios", "--app", "a b"], "is not a bundle identifier"),
    (["Scenarios", "--app", "a.b", "--group", "x"], "--group: 'x' is not a group's identifier"),
    (
      ["Scenarios", "--app", "a.b", "--extension", "c d"],
      "--extension: 'c d' is not an extension's bundle identifier"
    ),
    (["Scenarios", "--app", "a.b", "--format", "golden"], "--format: unknown format 'golden'"),
    (["Scenarios", "--probe", "--format", "html"], "--format: unknown format 'html'"),
    (["Scenarios", "--group", "group.a.b="], "--group: the path after 'group.a.b=' is missing"),
    (["Scenarios", "--probe", "--container", "a"], "'--container' has no use with '--probe'"),
    (["Scenarios", "--record", "a.json"], "'--record' records the answers to a probe"),
  ])
  func `an impossible comparison is an error`(
    arguments: [String], message: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let run = try await workspace.run(["compare-backup"] + arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `an interrupted export leaves a complete folder or none, and no other files`()
    async throws
  {
    let saves = (0..<300).map { "{ save: 'Documents/\($0)', size: 1 }" }.joined(separator: ",")
    let workspace = try Workspace(scenarios: [
      "a": "{ title: 'Many files', steps: [\(saves), { backup: 'b' }] }"
    ])
    // The shell stops the tool during the write, and then interrupts it. If the tool has already
    // finished, the shell starts it again.
    let run = try await workspace.shell(
      """
      is_begun() { ls -d sbt-* > /dev/null 2>&1; }
      while :; do
        rm -rf out
        "$TOOL" export-backup a --output out & tool=$!
        until is_begun || ! kill -0 $tool 2> /dev/null; do :; done
        kill -STOP $tool 2> /dev/null
        if is_begun; then kill -TERM $tool; fi
        kill -CONT $tool 2> /dev/null
        wait $tool
        status=$?
        [ $status = 0 ] || exit $status
      done
      """)
    #expect(run.status == 128 + SIGTERM, "\(run.errors)")
    let names = try workspace.folder.names().filter { !$0.hasPrefix("Scenarios") }
    #expect(names.allSatisfy { $0.hasPrefix("out") })
    // These are 300 files, the manifest and three property lists.
    #expect(names.isEmpty || workspace.files(in: "out").count == 304, "\(names.count)")
  }

  @Test(.enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"))
  func `the password of an encrypted backup is the first line of a file`() async throws {
    let workspace = try await Self.encrypted(password: " a b ")
    try workspace.write(" a b \nnot this\n", to: "right")
    try workspace.write("a b", to: "wrong")
    // The temporary folder does not exist, so the tool cannot write decrypted data.
    let withPassword = try await workspace.run(
      Self.compare + ["--password-file", "right"],
      environment: ["TMPDIR": workspace.url("no/where").path])
    #expect(withPassword.status == 0, "\(withPassword.errors)")
    #expect(withPassword.output.contains(" 0 differences"))
    for (file, message) in [
      ("wrong", "the password is wrong"), ("missing", "missing: no such file or folder"),
      ("out", "out: this is a folder, not a file"),
    ] {
      let run = try await workspace.run(Self.compare + ["--password-file", file])
      #expect(run.status == 2)
      #expect(run.output == "")
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(!run.errors.contains("a b"))
    }
  }

  @Test func `a page shows the phone's backup beside the prediction`() async throws {
    let workspace = try await Self.exported(step: 6)
    try workspace.write("new", to: "container/AppData/Documents/new.txt")
    let run = try await workspace.run(
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
      "--format", "html", "--output", "page.html")
    #expect(run.status == 1)
    #expect(run.output == "")
    let page = try workspace.text(of: "page.html")
    #expect(page.contains(">A backup beside its prediction: "), "\(page.prefix(2000))")
    #expect(page.contains("1 difference, by the rules of iOS"))
    #expect(page.contains("<td class=\"path\">Documents/<wbr>new.txt</td>"))
    #expect(
      page.contains(
        "<td data-label=\"Difference\">predicted to be in the backup, but missing from it</td>"))
    #expect(page.contains("data-label=\"On the phone\">not in the backup</td>"))
    // The item has a size, but no state in the phone's backup, because it is missing there.
    #expect(page.contains("\"beside\":\"On the phone\""))
    #expect(page.contains("\"new.txt\",\"f\",3,0,0,[]]"), "\(page.suffix(3000))")
    let inside = try await workspace.run(
      "compare-backup", "out", "--format", "html", "--output", "out/page.html")
    #expect(inside.errors.contains("this is in out,"), "\(inside.errors)")
  }

  @Test func `a comparison of nothing is an error, and a limited one says so`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let export = try await workspace.run("export-backup", "a", "--step", "6", "--output", "out")
    let device = export.output.trimmingCharacters(in: .newlines)
    let compare = ["compare-backup", "out", "--app", "com.example.cinema"]
    let mistyped = try await workspace.run(compare + ["--group", "group.com.example.cinma"])
    #expect(mistyped.status == 2)
    #expect(
      mistyped.errors.contains(
        "the backup contains nothing of 'group.com.example.cinma'; add its container as "
          + "'group.com.example.cinma=PATH', or correct the identifier: did you mean "
          + "'group.com.example.cinema'?"), "\(mistyped.errors)")
    let unnamed = try await workspace.run(compare)
    #expect(
      unnamed.output.contains(
        "No container of com.example.cinema and group.com.example.cinema was given, so items"))
    #expect(!unnamed.output.contains("does not say whether the backup finished"))
    unlink(workspace.url("\(device)/Status.plist").path)
    let unfinished = try await workspace.run(compare)
    #expect(
      unfinished.output.contains("\nItems may be missing, because the folder does not say"))
  }
}
#endif
