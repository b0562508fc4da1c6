import BackupTesting
import Foundation
import Testing

@testable import BackupContainer
@testable import BackupRules
@testable import BackupScenarios

/// Files that contain the container's own path, which an update and a restore change.
@Suite struct StoredPathTests {
  /// A way to store the path of a picture.
  struct StorageForm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The file that stores the path, relative to the container.
    let file: String
    let contents: @Sendable (URL) throws -> Data

    init(
      _ name: String, in file: String = "Documents/index",
      _ contents: @escaping @Sendable (URL) throws -> Data
    ) {
      self.testDescription = name
      self.file = file
      self.contents = contents
    }

    private static func text(_ url: URL) -> String { "{\"picture\": \"\(url.path)\"}" }

    private static func list(
      _ url: URL, _ format: PropertyListSerialization.PropertyListFormat
    ) throws -> Data {
      try PropertyListSerialization.data(
        fromPropertyList: ["name": "Alps", "covers": ["picture": url.path]], format: format,
        options: 0)
    }

    static let formsWithContainerPath = [
      StorageForm("text") { Data(text($0).utf8) },
      StorageForm("JSON, whose slashes are escaped") { url in
        Data(text(url).replacing("/", with: "\\/").utf8)
      },
      StorageForm("UTF-16, little-endian") { url in
        Data(text(url).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      },
      StorageForm("UTF-16, big-endian") { url in
        Data(text(url).utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
      },
      StorageForm("a URL") { Data($0.appendingPathComponent("a b ü.png").absoluteString.utf8) },
      StorageForm("behind much else") { Data(count: 900_000) + Data(text($0).utf8) },
      StorageForm("XML", in: "Documents/list.plist") { try list($0, .xml) },
      StorageForm("a binary property list", in: "Documents/list.plist") { try list($0, .binary) },
    ]

    static let harmlessForms = [
      StorageForm("a relative path") { _ in Data("Documents/a.png".utf8) },
      StorageForm("a log", in: "Documents/today.log") { Data(text($0).utf8) },
      StorageForm("a log's directory", in: "Library/Logs/today") { Data(text($0).utf8) },
      StorageForm("a cache", in: "Library/Caches/index") { Data(text($0).utf8) },
      StorageForm("tmp", in: "tmp/index") { Data(text($0).utf8) },
      StorageForm("behind the first megabyte") { Data(count: 1_000_000) + Data(text($0).utf8) },
      StorageForm("a bookmark") { url in
        let path = Data(url.path.utf8)
        let length = withUnsafeBytes(of: UInt32(48 + path.count).littleEndian) { Data($0) }
        return Data("book".utf8) + length + Data([0, 0, 4, 16]) + Data(count: 36) + path
      },
    ]

    func run(_ steps: String...) async throws -> ActionRun {
      let actions: AppActions = [
        "store": { action in
          let root = action.container.url
          let url = root.appendingPathComponent(file)
          try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
          let picture = root.appendingPathComponent("Documents/a.png")
          try Data([1]).write(to: picture)
          try contents(picture).write(to: url)
        },
        "look": { action in
          let index = action.container.url.appendingPathComponent(file)
          _ = try? Data(contentsOf: index)
        },
      ]
      return try await ActionRun(steps.map { "{ \($0) }" }, actions: actions)
    }
  }

  @Test(arguments: StorageForm.formsWithContainerPath)
  func `a stored path is a warning, once`(_ form: StorageForm) async throws {
    let run = try await form.run(
      "perform: 'store'", "updateApp: '2.0'", "perform: 'look'", "backup: 'b'", "restore: 'b'")
    #expect(run.failure == nil)
    let found = run.findings.filter { $0.rule == "stale-container-path" }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.map { $0.path?.string } == [form.file])
    let hasKey = found.first?.message.contains("the container's path, key 'covers.picture',")
    #expect(hasKey == form.file.hasSuffix("plist"))
  }

  /// Sets user defaults as an app does, in a property list.
  private static let setDefault: AppActions.Code = { action in
    let folder = action.container.library.appendingPathComponent("Preferences")
    let file = folder.appendingPathComponent("com.example.app.plist")
    let old = try? PropertyListDecoder().decode([String: String].self, from: Data(contentsOf: file))
    let key: String = try action.argument("key")
    let isPath = try action.argumentIfPresent("path", as: Bool.self) ?? false
    var values = old ?? [:]
    values[key] = isPath ? action.container.url.path : "word"
    try PropertyListEncoder().encode(values).write(to: file)
  }

  @Test(arguments: [
    (["key: 'first'", "key: 'latest', path: true", "key: 'last'"], 2),
    (["key: 'latest', path: true", "key: 'last'"], 1),
    (["key: 'latest'", "key: 'latest', path: true"], 2),
  ])
  func `a user default is reported at the step that set its key`(
    settings: [String], step: Int
  ) async throws {
    let run = try await ActionRun(
      settings.map { "{ perform: 'set', with: { \($0) } }" } + ["{ updateApp: '2.0' }"],
      actions: ["set": Self.setDefault])
    let found = run.findings.filter { $0.rule == "stale-container-path" }
    #expect(found.map(\.step.number) == [.step(step)])
    let note = try #require(found.first?.note)
    #expect(note.hasPrefix("step \(step) (perform set"))
    #expect(note.contains(") set this key, at a line that the kit does not know, because"))
  }

  @Test func `a value that a restore brings back belongs to the step that set it`() async throws {
    let run = try await ActionRun(
      [
        "{ perform: 'set', with: { key: 'other' } }",
        "{ perform: 'set', with: { key: 'latest', path: true } }", "{ backup: 'b' }",
        "{ perform: 'set', with: { key: 'latest' } }", "{ restore: 'b' }",
        "{ perform: 'set', with: { key: 'more' } }",
      ], actions: ["set": Self.setDefault])
    let found = run.findings.filter { $0.rule == "stale-container-path" }
    #expect(found.map(\.step.number) == [.step(2)])
  }

  @Test func `a stored path is found at the end of a run too`() async throws {
    let run = try await StorageForm.formsWithContainerPath[0].run("perform: 'store'")
    #expect(run.findings.map(\.rule).contains("stale-container-path"))
  }

  @Test(arguments: StorageForm.harmlessForms)
  func `relative paths, and files that are created again, are no findings`(_ form: StorageForm)
    async throws
  {
    let run = try await form.run(
      "perform: 'store'", "updateApp: '2.0'", "perform: 'look'", "backup: 'b'")
    #expect(run.failure == nil)
    #expect(!run.findings.map(\.rule).contains("stale-container-path"))
  }

  @Test func `extended attributes are searched too`() throws {
    let container = try FakeContainer()
    let path = try ContainerPath("Documents/a")
    let url = container.url.appendingPathComponent("Documents/a")
    try Data([1]).write(to: url)
    #expect(try container.filesHoldingOwnPath(among: [path], searching: 100).isEmpty)
    try DiskPath(url).setAttribute("user.where", to: Array(url.path.utf8))
    #expect(try container.filesHoldingOwnPath(among: [path], searching: 100) == [path])
    try container.remove()
  }
}
