import BackupContainer
import BackupFileTree
import BackupScenarios
import Foundation
import TestSupport
import Testing

/// The key `start: { container: … }` begins a run with a copy of a captured container.
struct StartTests {
  let trial: CapturedTrial

  init() throws {
    trial = try CapturedTrial()
  }

  @Test func `a run begins with the items, contents and marks of the container`() async throws {
    let transcript = try await trial.run([
      "{ backup: 'b' }",
      "{ expectFile: { path: 'Documents/list.json', contents: '[1, 2]' } }",
    ])
    #expect(transcript.failure == nil)
    let backedUpPaths = transcript.backedUpPathLists[0]
    #expect(
      backedUpPaths.contains("Documents/list.json") && backedUpPaths.contains("Documents/movie.mp4")
    )
    #expect(backedUpPaths.contains("Documents/Empty"), "a directory that the copy had lost")
    #expect(!backedUpPaths.contains("Library/Pictures/1.png"), "the mark of the list")
    #expect(transcript.firstTree.contains(try .init("Library/Caches")), "as in any container")
  }

  @Test func `the captured container and its folder are not changed`() async throws {
    let before = try trial.state()
    let transcript = try await trial.run([
      "{ remove: 'Documents/list.json' }", "{ append: 'Documents/movie.mp4', size: 10 }",
      "{ include: 'Library/Pictures/1.png' }", "{ backup: 'b' }",
    ])
    #expect(transcript.failure == nil)
    #expect(try trial.state() == before)
  }

  @Test func `captured items cause no finding, but a save has to set the mark again`()
    async throws
  {
    let files =
      ", files: { '**/*.png': 'offline', '**/*.mp4': 'offline', '**/list.json': 'critical' }"
    let idle = try await trial.run(["{ backup: 'b' }"], CapturedTrial.start + files)
    #expect(idle.verdicts == [])
    let saving = try await trial.run(
      ["{ save: 'Library/Pictures/1.png', size: 9 }", "{ backup: 'b' }"],
      CapturedTrial.start + files)
    #expect(saving.verdicts.contains("reapply-on-save step 1 Library/Pictures/1.png"))
  }

  @Test func `other containers begin as new ones`() async throws {
    let other =
      "\(CapturedTrial.start), app: { bundleIdentifier: 'com.example.app', groups: ['group.x'] }"
    let transcript = try await trial.run(
      ["{ save: 'group.x:/shared.json', size: 3 }", "{ backup: 'b' }"], other)
    #expect(transcript.failure == nil)
    #expect(transcript.firstTree.contains(try .init("Documents/list.json")))
    let backedUpPaths = transcript.backedUpPathLists[0]
    #expect(
      backedUpPaths.contains("group.x:/shared.json")
        && backedUpPaths.contains("Documents/list.json"))
  }

  @Test func `a captured container needs a permission, and the message says how to give it`()
    async throws
  {
    let failure = try await trial.failure(isAllowed: false)
    #expect(failure.hasPrefix("the start: this scenario starts from 'Fixtures/v1'"))
    #expect(failure.contains("scenario.run(options: .init(allowsBackups: true))"))
    #expect(failure.contains("--allow-backups"))
    #expect(!ScenarioRunner().permissions.contains(.folders))
  }

  @Test func `a container without marks needs a list, which may have only the first line`()
    async throws
  {
    try trial.folder.write("# container-list 1 com.example.app 18.1\n", to: "Fixtures/bare.list")
    #expect(
      try await trial.failure("start: { container: 'Fixtures/v1', marks: 'Fixtures/bare.list' }")
        == "")
    let movie = trial.folder.url("Fixtures/v1/Documents/movie.mp4")
    try movie.excludeFromBackup()
    let transcript = try await trial.run(
      ["{ backup: 'b' }"], "start: { container: 'Fixtures/v1' }")
    #expect(transcript.failure == nil)
    #expect(!transcript.backedUpPathLists[0].contains("Documents/movie.mp4"))
  }

  @Test func `a package that Xcode downloaded is a container too, with a list in it`() async throws
  {
    let list = try trial.folder.text(of: "Fixtures/v1.list")
    for (path, text) in [
      ("Documents/container.list", list), ("Documents/after-update.list", "a"),
      ("Library/Pictures/1.png", "picture"), ("Documents/list.json", "[]"),
    ] {
      try trial.folder.write(text, to: "Fixtures/App.xcappdata/AppData/\(path)")
    }
    let transcript = try await trial.run(
      ["{ backup: 'b' }"], "start: { container: 'Fixtures/App.xcappdata' }")
    #expect(transcript.failure == nil)
    let backedUpPaths = transcript.backedUpPathLists[0]
    #expect(backedUpPaths.contains("Documents/list.json"))
    #expect(!backedUpPaths.contains("Library/Pictures/1.png"))
    #expect(!backedUpPaths.contains("Documents/container.list"), "the list is no file of the app's")
    #expect(!backedUpPaths.contains("Documents/after-update.list"))
  }

  @Test(arguments: [
    ("start: { container: 'Fixtures/v2' }", "there is no 'Fixtures/v2' in"),
    ("start: { container: 'Fixtures/v1.list' }", "expected a folder"),
    ("start: { container: 'Fixtures/empty' }", "the folder is empty"),
    (
      "start: { container: 'Fixtures/v1' }",
      "no item in it has a mark, and a copy may have lost marks"
    ),
    (
      "start: { container: 'Fixtures/linked' }",
      "'Documents/container.list' is not a file, so it "
        + "cannot be the"
    ),
    ("start: { container: 'Fixtures/v1', marks: 'Fixtures/link.list' }", "leads through the link"),
    ("start: { container: 'Fixtures/link' }", "leads through the link"),
    ("start: { container: 'Fixtures/link/Documents' }", "leads through the link"),
    ("start: { container: 'Fixtures/v1', marks: 'Fixtures/none' }", "there is no 'Fixtures/none'"),
    ("start: { container: 'Fixtures/v1', marks: 'Fixtures/v1' }", "expected a file"),
    ("start: { container: 'Fixtures/v1', marks: 'Fixtures/other' }", "a list of 'com.example.b'"),
    ("start: { container: 'Fixtures/v1', marks: 'Fixtures/far' }", "which is not in the container"),
    (
      "start: { container: 'Fixtures/v1', marks: 'Fixtures/none.list' }",
      "none.list:1:1: this is not a container list"
    ),
  ])
  func `the error says why a run cannot start from a path`(start: String, message: String)
    async throws
  {
    try trial.folder.makeFolder("Fixtures/empty")
    symlink("v1", trial.folder.url("Fixtures/link").path)
    symlink("v1.list", trial.folder.url("Fixtures/link.list").path)
    try trial.folder.makeFolder("Fixtures/linked/Documents")
    symlink(
      trial.folder.url("Fixtures/v1.list").path,
      trial.folder.url("Fixtures/linked/Documents/container.list").path)
    let head = "# container-list 1 com.example"
    try trial.folder.write("\(head).b 18\n", to: "Fixtures/other")
    let mark = "com.apple.metadata:com_apple_backup_excludeItem"
    try trial.folder.write(
      "\(head).app 18\nDocuments/far\tf\t1\t\(mark)\t1\t\n", to: "Fixtures/far")
    try trial.folder.write("nothing of the kind", to: "Fixtures/none.list")
    let failure = try await trial.failure(start)
    #expect(failure.hasPrefix("the start: ") && failure.contains(message), "\(failure)")
  }

  @Test(arguments: [
    "/etc/passwd", "../../../x", "../../x", "/private/var/mobile/Containers/../../x",
    // If 'Library' is a link to a folder further up, this path leads somewhere else.
    "../Library/../x",
  ])
  func `a link out of the container is refused, and the message names it`(target: String)
    async throws
  {
    symlink(target, trial.folder.url("Fixtures/v1/Documents/way").path)
    #expect(
      try await trial.failure()
        == "the start: 'Fixtures/v1': the link 'Documents/way' leads out of the container, to "
        + "\(target); remove the link from the copy"
    )
  }

  @Test(arguments: [
    "list.json", "../Library", "./list.json", "none", "/var/mobile/Containers/Data/Application/1/x",
  ])
  func `a link within the container is accepted`(target: String) async throws {
    symlink(target, trial.folder.url("Fixtures/v1/Documents/way").path)
    #expect(try await trial.failure() == "")
  }

  @Test func `a pipe, such as Realm's, is left out`() async throws {
    mkfifo(trial.folder.url("Fixtures/v1/Documents/default.realm.note").path, 0o600)
    #expect(try await trial.failure() == "")
  }

  @Test func `an unreadable directory, and a file in the place of a directory, are refused`()
    async throws
  {
    try trial.folder.write("", to: "Fixtures/v1/tmp")
    #expect(try await trial.failure().contains("'tmp' is not a directory"))
    unlink(trial.folder.url("Fixtures/v1/tmp").path)
    guard getuid() != 0 else { return }
    try trial.folder.setPermissions(0, of: "Fixtures/v1/Documents")
    #expect(try await trial.failure().contains("cannot be read"))
    try trial.folder.setPermissions(0o755, of: "Fixtures/v1/Documents")
  }

  @Test func `a container beyond the limits of a run is refused before it is copied`() async throws
  {
    let bytes = try await trial.failure(limits: Scenario.RunLimits(bytes: 10))
    #expect(bytes.contains("the limit of a run is 10") && bytes.contains("--limit bytes"))
    let work = try await trial.failure(limits: Scenario.RunLimits(work: 30))
    #expect(work.contains("the limit of a run is 30") && work.contains("--limit work"))
  }
}
