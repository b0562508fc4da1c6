import BackupFileTree
import Foundation
import TestSupport
import Testing

/// `export-backup` and `compare-backup`: backup folders, out and in.
@Suite struct BackupFolderCommandTests {
  /// Backs up twice, with a marked file and a group.
  private static let scenario = """
    {
      title: "Backed up twice",
      app: { bundleIdentifier: "com.example.cinema", groups: ["group.com.example.cinema"] },
      steps: [
        { save: "Documents/list.json", contents: "[]" },
        { backup: "first" },
        { save: "Documents/movie.mp4", size: 5 },
        { exclude: "Documents/movie.mp4" },
        { save: "group.com.example.cinema:/widget.json", size: 7 },
        { backup: "second" },
      ],
    }
    """

  /// Lays out the container that the scenario has at its second backup, but for its mark.
  private static func layOut(_ workspace: Workspace) throws {
    try workspace.write("[]", to: "container/AppData/Documents/list.json")
    for path in ["Library/Caches", "Library/Preferences", "tmp"] {
      try workspace.folder.makeFolder("container/AppData/\(path)")
    }
    try workspace.write("1234567", to: "group/widget.json")
    try workspace.folder.makeFolder("group/Library/Caches")
  }

  /// A workspace with the folder `out` of the scenario's backup at a step, and the container.
  private static func exported(step: Int) async throws -> Workspace {
    let workspace = try Workspace(scenarios: ["a": scenario])
    let run = try await workspace.run(
      "export-backup", "a", "--step", "\(step)", "--output", "out")
    try #require(run.status == 0, "\(run.errors)")
    try layOut(workspace)
    return workspace
  }

  @Test func `a backup is exported, and agrees with its containers`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let export = try await workspace.run("export-backup", "a", "--step", "6", "--output", "out")
    #expect(export.errors == "")
    #expect(export.status == 0)
    let device = export.output.trimmingCharacters(in: .newlines)
    #expect(device.hasPrefix("out/") && device.count == 44)
    for name in ["Manifest.db", "Manifest.plist", "Info.plist", "Status.plist"] {
      #expect(workspace.exists("\(device)/\(name)"))
    }
    #expect(
      workspace.files(in: "out").allSatisfy { !$0.contains("-wal") && !$0.contains("journal") })
    try Self.layOut(workspace)
    let compare = try await workspace.run(
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
      "--group", "group.com.example.cinema=group")
    #expect(compare.errors == "")
    #expect(compare.status == 0)
    #expect(
      compare.output == """
        excluded, as predicted (3):
          Library/Caches: location
          group.com.example.cinema:/Library/Caches: location
          tmp: location
        7 items in the backup as predicted, 3 excluded as predicted, 0 differences, by the rules of iOS \(Sample.newest)

        """)
  }

  @Test func `a backup that holds nothing is not exported`() async throws {
    let scenario = "{ title: 'Off', backups: 'off', steps: [{ backup: 'a' }] }"
    let workspace = try Workspace(scenarios: ["off": scenario])
    let run = try await workspace.run("export-backup", "off", "--output", "out")
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "step 1: no folder was written, because the backup contains nothing"))
    #expect(!workspace.exists("out"))
  }

  @Test func `a container with what cannot be read is compared with nothing`() async throws {
    let workspace = try await Self.exported(step: 2)
    let deep = Array(repeating: "d", count: ContainerPath.deepestPath).joined(separator: "/")
    let compare = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
    ]
    // What no backup holds need not be read.
    try workspace.write("1", to: "container/AppData/Library/Caches/\(deep)/file")
    #expect(try await workspace.run(compare).status == 0)
    try workspace.write("1", to: "container/AppData/Documents/\(deep)/file")
    let run = try await workspace.run(compare)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("container: 'Documents/d/d/"))
    #expect(run.errors.contains("cannot be read: "))
  }

  /// A workspace with a folder of an encrypted backup.
  private static func encrypted(password: String) async throws -> Workspace {
    let workspace = try await exported(step: 2)
    let device = try #require(workspace.files(in: "out").first { $0.hasSuffix("Manifest.db") })
    try FolderEncryption(password: password).encrypt(
      workspace.url("out/\(device)").deletingLastPathComponent().path)
    return workspace
  }

  private static let compare = [
    "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
  ]

  @Test(.enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"))
  func `the password of an encrypted backup is the first line of a file`() async throws {
    let workspace = try await Self.encrypted(password: " a b ")
    try workspace.write(" a b \nnot this\n", to: "right")
    try workspace.write("a b", to: "wrong")
    // Nothing decrypted is written: there is no folder for it.
    let right = try await workspace.run(
      Self.compare + ["--password-file", "right"],
      environment: ["TMPDIR": workspace.url("no/where").path])
    #expect(right.status == 0, "\(right.errors)")
    #expect(right.output.contains(" 0 differences"))
    for (file, words) in [
      ("wrong", "the password is wrong"), ("missing", "missing: no such file or folder"),
      ("out", "out: this is a folder, not a file"),
    ] {
      let run = try await workspace.run(Self.compare + ["--password-file", file])
      #expect(run.status == 2)
      #expect(run.output == "")
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(!run.errors.contains("a b"))
    }
  }

  @Test(.enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"))
  func `without a file or a terminal, an encrypted backup is an error`() async throws {
    let workspace = try await Self.encrypted(password: "secret")
    let run = try await workspace.run(Self.compare)
    #expect(run.status == 2)
    #expect(
      run.errors.contains(
        "the backup is encrypted; name a file whose first line is the password with "
          + "'--password-file'"))
  }

  #if os(Linux)
    @Test(
      .enabled(if: FolderEncryption.isPossible, "\(FolderEncryption.obstacle)"),
      arguments: [("secret", 0), ("wrong", 2)])
    func `on a terminal the password is asked for, and not shown`(
      password: String, status: Int32
    ) async throws {
      let workspace = try await Self.encrypted(password: "secret")
      // What is typed before the command asks is thrown away.
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
  #endif

  @Test func `a difference is status 1, in text and in JSON`() async throws {
    let workspace = try await Self.exported(step: 2)
    try workspace.write("new", to: "container/AppData/Documents/new.txt")
    let arguments = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container/AppData",
    ]
    let text = try await workspace.run(arguments)
    #expect(text.status == 1)
    #expect(
      text.output.hasPrefix(
        "predicted to be in the backup, but missing from it (1):\n  Documents/new.txt\n"))
    let json = try await workspace.run(arguments + ["--format", "json"])
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let differences = try #require(object?["differences"] as? [[String: String]])
    #expect(differences == [["path": "Documents/new.txt", "outcome": "predicted-in"]])
    #expect(object?["format"] as? Int == 1)
  }

  @Test func `an app's own list stands for its container, and a record is written once`()
    async throws
  {
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
      "compare-backup", "out", "--app", "com.example.cinema", "--record", "record.json",
      "--container",
    ]
    let run = try await workspace.run(arguments + ["container"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("  Documents/movie.mp4: own mark\n"))
    #expect(
      run.output.contains(
        "note: AppDomain-com.example.cinema: the container was read from its list, which was "
          + "written on iOS 18.1"
      ))
    #expect(try workspace.text(of: "record.json").contains("\"own-mark\" : 1"))
    let again = try await workspace.run(arguments + ["container/Documents/container.list"])
    #expect(again.status == 2)
    #expect(again.errors.contains("record.json: the file already exists; name a new file"))
    try workspace.replace(
      "com.example.cinema", with: "a.b", in: "container/Documents/container.list")
    let other = try await workspace.run(arguments + ["container"])
    #expect(other.errors.contains("this is the list of 'a.b', not of 'com.example.cinema'"))
  }

  @Test
  func `a record of what was compared with itself is refused, and none is written in what is read`()
    async throws
  {
    let workspace = try await Self.exported(step: 6)
    let compare = ["compare-backup", "out", "--app", "com.example.cinema", "--record"]
    let container = ["--container", "container", "--group"]
    let group = "group.com.example.cinema"
    for (arguments, words) in [
      (["record.json"], "with itself; name it with --container PATH"),
      (["record.json"] + container + [group], "with itself; name it with --group \(group)=PATH"),
      (
        ["out/record.json"] + container + ["\(group)=group"],
        "this is in out, which the command "
          + "only reads"
      ),
      (["container/AppData/tmp/r.json"] + container + ["\(group)=group"], "this is in container"),
      (
        ["group/r.json"] + container + ["\(group)=group"],
        "this is in group, which the command "
          + "only reads"
      ),
      (["list.json5"] + container + ["\(group)=group"], "a scenario file, or would be read as one"),
    ] {
      let before = try workspace.folder.names()
      let run = try await workspace.run(compare + arguments)
      #expect(run.status == 2, "\(arguments)")
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.output == "")
      #expect(try workspace.folder.names() == before)
    }
  }

  @Test func `beside a record is the golden file of what the device backed up`() async throws {
    let workspace = try await Self.exported(step: 6)
    let group = "group.com.example.cinema"
    let compare = [
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container", "--group",
      "\(group)=group", "--record",
    ]
    let run = try await workspace.run(compare + ["phone.json"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let golden = try workspace.text(of: "phone.golden")
    #expect(
      golden == """
        # golden 1: phone
        system iOS \(Sample.newest), local
        step 1 backup "device": 2 files, 9 bytes
        + Documents/list.json  2
        - Library/Caches/  location
        + Library/Preferences/
        - tmp/  location
        container group.com.example.cinema, of a group: 1 file, 7 bytes
        - group.com.example.cinema:/Library/Caches/  location
        + group.com.example.cinema:/widget.json  7

        """)
    let again = try await workspace.run(compare + ["phone"])
    #expect(again.errors.contains("phone.golden: the file already exists"))
  }

  @Test func `without its golden file no record is left`() async throws {
    let workspace = try await Self.exported(step: 2)
    // With '.golden' behind it no volume takes the name.
    let name = String(repeating: "n", count: 250)
    let run = try await workspace.run(
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
      "--record", "\(name).json")
    #expect(run.status == 2)
    #expect(run.errors.contains("\(name).golden: cannot be written: "))
    #expect(!workspace.exists("\(name).json"))
  }

  @Test func `a manifest with faults is recorded by nobody`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let export = try await workspace.run("export-backup", "a", "--step", "2", "--output", "out")
    let device = export.output.trimmingCharacters(in: .newlines)
    try Self.layOut(workspace)
    // The one file's row gets another name, which is not the hash of its path.
    let name = try #require(
      workspace.files(in: device).map { URL(fileURLWithPath: $0).lastPathComponent }
        .first { $0.count == 40 })
    var bytes = Array(try Data(contentsOf: workspace.url("\(device)/Manifest.db")))
    let places = bytes.ranges(of: Array(name.utf8))
    #expect(!places.isEmpty)
    for place in places {
      bytes.replaceSubrange(place, with: Array(String(repeating: "0", count: 40).utf8))
    }
    try workspace.write(Data(bytes), to: "\(device)/Manifest.db")
    let run = try await workspace.run(
      "compare-backup", "out", "--app", "com.example.cinema", "--container", "container",
      "--record", "record.json")
    #expect(run.status == 2)
    #expect(run.errors.contains("the manifest has invalid rows"), "\(run.errors)")
    #expect(!workspace.exists("record.json"))
  }

  @Test(arguments: ["link", "folder", "pipe"])
  func `a list in a container counts only as a file in it`(kind: String) async throws {
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
    // Behind a link in the place of Documents there is no list either.
    try workspace.write("# container-list 1 com.example.cinema 18.1\n", to: "Own/container.list")
    try workspace.folder.makeFolder("other/Library")
    symlink(workspace.url("Own").path, workspace.url("other/Documents").path)
    let other = try await workspace.run(compare.dropLast() + ["other"])
    #expect(!other.output.contains("was read from its list"))
    #expect(other.status == 1)
  }

  @Test func `a group's list stands for its container`() async throws {
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
        "note: AppDomainGroup-\(group): the container was read from its list"))
    #expect(
      run.output.contains(
        "predicted to be in the backup, but missing from it (1):\n  Documents/group.list\n"))
    #expect(run.output.contains(" 1 difference,"), "\(run.output)")
    try workspace.replace("widget.json", with: "other.json", in: place)
    let other = try await workspace.run(compare + ["\(group)=\(place)"])
    #expect(other.output.contains("  \(group):/other.json\n"))
    #expect(other.output.contains(" 3 differences,"), "\(other.output)")
    try workspace.replace(group, with: "com.example.cinema", in: place)
    let wrong = try await workspace.run(compare + ["\(group)=\(place)"])
    #expect(wrong.errors.contains("this is the list of 'com.example.cinema', not of '\(group)'"))
  }

  @Test func `where nothing could be seen is never status 0`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let export = try await workspace.run("export-backup", "a", "--step", "6", "--output", "out")
    let device = export.output.trimmingCharacters(in: .newlines)
    let compare = ["compare-backup", "out", "--app", "com.example.cinema"]
    let mistyped = try await workspace.run(compare + ["--group", "group.com.example.cinma"])
    #expect(mistyped.status == 2)
    #expect(
      mistyped.errors.contains("the backup contains nothing of 'group.com.example.cinma'"))
    let unnamed = try await workspace.run(compare)
    #expect(
      unnamed.output.contains(
        "note: groups in the backup that are not compared: group.com.example.cinema; name the "
          + "app's groups with"))
    #expect(!unnamed.output.contains("does not say whether the backup finished"))
    unlink(workspace.url("\(device)/Status.plist").path)
    let unfinished = try await workspace.run(compare)
    #expect(
      unfinished.output.contains("note: items may be missing, because the folder does not say"))
  }

  @Test func `without a container the report says what it could not see`() async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    #expect(
      try await workspace.run("export-backup", "a", "--step", "6", "--output", "out").status == 0)
    let run = try await workspace.run("compare-backup", "out", "--app", "com.example.cinema")
    #expect(run.status == 0)
    #expect(run.output.contains("note: AppDomain-com.example.cinema: no container was given"))
    let other = try await workspace.run("compare-backup", "out", "--app", "org.swift.other")
    #expect(other.status == 2)
    #expect(
      other.errors.contains(
        "the backup contains nothing of 'org.swift.other'; name an app that it contains"))
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
  func `an export that cannot be done is an error, and nothing is written`(
    arguments: [String], words: String
  ) async throws {
    let none = "{ title: 'No backup', steps: [{ save: 'Documents/a', size: 1 }] }"
    let workspace = try Workspace(scenarios: ["a": Self.scenario, "none": none])
    let before = try workspace.folder.names()
    let run = try await workspace.run(["export-backup"] + arguments)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(try workspace.folder.names() == before)
  }

  @Test(arguments: [
    (["Scenarios", "--app", "a.b"], "this is not a backup folder"),
    (["missing", "--app", "a.b"], "missing: "),
    (["Scenarios"], "'--app' is missing"),
    (["Scenarios", "--app", "a b"], "is not a bundle identifier"),
    (["Scenarios", "--app", "a.b", "--group", "x"], "--group: 'x' is not a group's identifier"),
    (
      ["Scenarios", "--app", "a.b", "--extension", "c.d"],
      "--extension: 'c.d' is not an extension's bundle identifier"
    ),
    (
      ["Scenarios", "--app", "a.b", "--container", "missing"],
      "missing: no such folder; check the "
        + "path"
    ),
    (["Scenarios", "--app", "a.b", "--format", "html"], "--format: unknown format 'html'"),
  ])
  func `a comparison that cannot be made is an error`(
    arguments: [String], words: String
  ) async throws {
    let workspace = try Workspace(scenarios: ["a": Self.scenario])
    let run = try await workspace.run(["compare-backup"] + arguments)
    #expect(run.status == 2)
    #expect(run.output == "")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func `an export that is interrupted is whole or not there, and nothing is beside it`()
    async throws
  {
    let saves = (0..<300).map { "{ save: 'Documents/\($0)', size: 1 }" }.joined(separator: ",")
    let workspace = try Workspace(scenarios: [
      "a": "{ title: 'Many files', steps: [\(saves), { backup: 'b' }] }"
    ])
    // The tool is stopped where it has begun to write and is not done, and only then interrupted; where
    // it is done by then, it is started again.
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
    // The files, the manifest and the three lists.
    #expect(names.isEmpty || workspace.files(in: "out").count == 304, "\(names.count)")
  }
}
