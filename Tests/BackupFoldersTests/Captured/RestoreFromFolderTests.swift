import BackupFileTree
import BackupFolders
import BackupScenarios
import Foundation
import TestSupport
import Testing

/// The step `restore: { backup: … }` restores an app from the folder of a real backup.
struct RestoreFromFolderTests {
  let trial: CapturedTrial
  let backup: ExportedBackup
  /// The scenarios' key `app`, which names the group and the extension in the backup.
  static let app =
    "app: { groups: ['group.com.example.app'], extensions: ['com.example.app.widget'] }"
  static let restore = "{ restore: { backup: 'Fixtures/Backup', app: 'com.example.app' } }"

  init() async throws {
    trial = try CapturedTrial()
    backup = try await ExportedBackup(of: try Sample.scenario())
    try FileManager.default.copyItem(
      atPath: backup.device, toPath: trial.folder.url("Fixtures/Backup").path)
  }

  /// Runs a step that restores, and returns the message of the failure; empty if the run succeeds.
  private func failure(
    _ step: String = Self.restore, isAllowed: Bool = true,
    limits: Scenario.RunLimits = Scenario.RunLimits()
  ) async throws -> String {
    let transcript = try await trial.run([step], Self.app, isAllowed: isAllowed, limits: limits)
    return transcript.failure?.message ?? ""
  }

  private func editManifest(_ statements: String) throws {
    try ManifestEditing.execute(
      statements, in: trial.folder.url("Fixtures/Backup/Manifest.db").path)
  }

  @Test func `each container gets its contents back, and the folder is not changed`() async throws {
    let before = try trial.state()
    let transcript = try await trial.run(
      [
        "{ save: 'Documents/newer', size: 1 }", Self.restore, "{ relaunch: {} }",
        "{ expectFile: { path: 'Documents/list.json', contents: '[1, 2]' } }",
        "{ expectFile: { path: 'group.com.example.app:/widget.json', size: 20 } }",
        "{ expectFile: { path: 'com.example.app.widget:/Documents/choice.json', size: 40 } }",
        "{ backup: 'b' }", "{ expectBackup: { lacks: ['Documents/newer'] } }",
      ], Self.app)
    #expect(transcript.failure == nil)
    #expect(transcript.lastTree.contains(try .init("Documents/Empty")))
    #expect(!transcript.lastTree.contains(try .init("Documents/movie.mp4")), "it was left out")
    #expect(transcript.lastTree[try .init("Documents/Previews")] != nil, "the link")
    #expect(try trial.state() == before)
  }

  @Test func `a test without a reader of backups is told which library has one`() async throws {
    let transcript = try await trial.run([Self.restore], Self.app, reader: nil)
    let message = try #require(transcript.failure?.message)
    #expect(message.hasPrefix("this test cannot read the backup in 'Fixtures/Backup'; add the "))
    #expect(message.contains(".init(allowsBackups: true, backupReader: .finder)"))
  }

  @Test func `it is refused unless it is permitted`() async throws {
    let failure = try await failure(isAllowed: false)
    #expect(failure.contains("restores from 'Fixtures/Backup'"))
    #expect(failure.contains("--allow-backups"))
  }

  @Test func `the scenario's app is restored if the step names no other app`() async throws {
    #expect(try await failure("{ restore: { backup: 'Fixtures/Backup' } }") == "")
    let failureOfOtherApp = try await failure(
      "{ restore: { backup: 'Fixtures/Backup', app: 'com.example.b' } }")
    #expect(failureOfOtherApp.contains("the backup contains nothing of 'com.example.b'"))
  }

  @Test func `missing contents are named, and nothing is restored`() async throws {
    let name = backup.domains[0].fileID(of: Array("Documents/list.json".utf8))
    let file = "Fixtures/Backup/\(name.prefix(2))/\(name)"
    try trial.folder.write("[1", to: file)
    let message =
      "nothing was restored, because the contents of 1 file are missing, such as of "
      + "'Documents/list.json': "
    #expect(
      try await failure().contains("\(message)a file of 2 bytes is there instead"))
    unlink(trial.folder.url(file).path)
    #expect(try await failure().contains("\(message)the file is missing"))
    symlink("/etc/passwd", trial.folder.url(file).path)
    #expect(try await failure().contains("\(message)something other than a file is there"))
  }

  @Test func `an extension that the scenario does not name is an error`()
    async throws
  {
    let transcript = try await trial.run(
      [Self.restore], "app: { groups: ['group.com.example.app'] }")
    let failure = transcript.failure?.message ?? ""
    #expect(
      failure.contains("the backup contains AppDomainPlugin-com.example.app.widget"), "\(failure)")
  }

  @Test func `a malformed manifest is an error`() async throws {
    try editManifest(
      "UPDATE Files SET relativePath = '../x' WHERE relativePath = 'Documents/list.json'")
    let failure = try await failure()
    #expect(failure.contains("nothing was restored, because the manifest is damaged"), "\(failure)")
    #expect(!trial.folder.exists("x"))
  }

  @Test func `a link that leads out of the container is refused`() async throws {
    let file = trial.folder.url("Fixtures/Backup/Manifest.db").path
    try ManifestEditing.describe(
      "Documents/Previews", as: BackupRecord(.link(target: Array("/etc".utf8))), in: file)
    #expect(
      try await failure().contains(
        "the link 'Documents/Previews' leads out of the container, to /etc"))
  }

  @Test func `a backup beyond the limits of a run is refused`() async throws {
    let failure = try await failure(limits: Scenario.RunLimits(bytes: 100))
    #expect(failure.contains("the limit of a run is 100"))
  }
}
