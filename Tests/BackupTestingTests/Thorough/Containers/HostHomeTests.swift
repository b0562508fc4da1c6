import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// Code in the test's process that writes to the home of the process instead of its container.
@Suite struct HostHomeTests {
  /// The folder that stands for the user's home.
  let folder: TestFolder
  let home: HostHome

  init() throws {
    folder = try TestFolder([
      "Documents/list.json": "[]", ".cache/old/item": "", "Library/Caches/old/item": "",
      "Library/Preferences/other.plist": "", ".config/other.plist": "",
    ])
    home = HostHome(environment: ["HOME": folder.path], processName: "xctest")
  }

  /// Returns the first changed path, relative to the home; nil if there is no change.
  private func change(
    of otherHome: HostHome? = nil, _ act: () throws -> Void
  ) throws -> String? {
    let home = otherHome ?? home
    let before = home.snapshot()
    try DeviceFolder.make(in: folder.url).waitUntilPast(before.newestChange)
    try act()
    return home.firstChange(since: before).map { String($0.path.dropFirst(folder.path.count + 1)) }
  }

  @Test(arguments: [
    "Documents/new", "Documents/Movies/1.mp4", "Library/Application Support/movies.db",
    "Library/Caches/cover.png", ".cache/cover.png",
    ".local/share/movies.db", "Library/Preferences/xctest.plist", ".config/xctest.plist",
  ])
  func `a file that is created or written is seen`(_ path: String) throws {
    let reportedPath = path.hasPrefix("Documents") ? "Documents" : path
    #expect(try change { try folder.write("new text", to: path) } == reportedPath)
  }

  @Test func `a new directory is seen, and a change in an old one is not`() throws {
    #expect(try change { try folder.makeFolder(".local/share/Movies") } == ".local/share/Movies")
    #expect(try change { try folder.write("", to: ".local/share/Movies/1.mp4") } == nil)
    try folder.makeFolder("Documents/Movies")
    #expect(try change { try folder.write("", to: "Documents/Movies/1.mp4") } == nil)
  }

  @Test func `a folder with too many items is ignored`() throws {
    let names = (0...2000).map { "Library/Caches/\($0)" }
    for name in names { try folder.write("", to: name) }
    let path = try change {
      for name in names { try FileManager.default.removeItem(at: folder.url(name)) }
    }
    #expect(path == nil)
  }

  @Test(arguments: [
    "Library/Caches/old/other", ".cache/old/other", "Library/Preferences/other.plist",
    ".config/other.plist", ".other", "tmp/other",
  ])
  func `files that other programs write are ignored`(_ path: String) throws {
    #expect(try change { try folder.write("new text", to: path) } == nil)
  }

  @Test func `in a simulator's home, changes in all directories count`() throws {
    let path = "Containers/Data/Application/1"
    try folder.write("", to: "\(path)/Library/Caches/old/item")
    let home = HostHome(environment: ["HOME": folder.url(path).path], processName: "xctest")
    let change = try change(of: home) {
      try folder.write("", to: "\(path)/Library/Caches/old/other")
    }
    #expect(change == "\(path)/Library/Caches/old")
  }

  @Test func `a missing home, or a folder that is a link, is no error`() throws {
    let none = HostHome(environment: [:], processName: "xctest")
    #expect(none.firstChange(since: none.snapshot()) == nil)
    try folder.makeFolder("Elsewhere")
    try FileManager.default.removeItem(at: folder.url("Documents"))
    try FileManager.default.createSymbolicLink(
      at: folder.url("Documents"), withDestinationURL: folder.url("Elsewhere"))
    #expect(try change { try folder.write("", to: "Elsewhere/a") } == "Documents")
  }

  @Test func `the account's home counts unless the environment sets another`() throws {
    let before = folder.path
    let home = HostHome(environment: ["HOME": "/none"], processName: "xctest", accountHome: before)
    let fixed = HostHome(
      environment: ["CFFIXED_USER_HOME": "/none"], processName: "xctest", accountHome: before)
    #expect(try change(of: home) { try folder.write("", to: "Documents/new") } == "Documents")
    #expect(try change(of: fixed) { try folder.write("", to: "Documents/newer") } == nil)
  }

  /// Runs code as an action, alone or beside the code of another container.
  private func run(
    beside isBeside: Bool = false, _ code: @escaping AppActions.Code
  ) async throws -> (failure: String?, warnings: [String]) {
    let neighbours = isBeside ? try FakeContainer() : nil
    let act: @Sendable () async throws -> ActionRun = {
      try await HostHome.$current.withValue(home) {
        try await ActionRun(["{ perform: 'save' }", "{ backup: 'one' }"], actions: ["save": code])
      }
    }
    let run =
      if let neighbours { try await neighbours.runCode { try await act() } } else {
        try await act()
      }
    return (run.failure, run.transcript.doubts.map(\.message))
  }

  @Test func `an action that writes only to the home is reported`() async throws {
    let seen = try await run { _ in try Data().write(to: folder.url("Documents/new")) }
    let texts = [seen.failure].compactMap(\.self) + seen.warnings
    let text = try #require(texts.first)
    #expect(texts.count == 1 && text.contains("\(folder.path)/Documents'"))
    #expect(text.contains("action.container.url"))
  }

  @Test func `beside another container's code, a write to the home is a warning`() async throws {
    let seen = try await run(beside: true) { _ in
      try Data().write(to: folder.url("Documents/new"))
    }
    #expect(seen.failure == nil && seen.warnings.count == 1)
    #expect(seen.warnings.first?.contains("may have written it") == true)
  }

  @Test func `an action that also changes its container may write to the home`() async throws {
    let seen = try await run { action in
      try Data().write(to: folder.url("Documents/new"))
      try Data().write(to: action.container.documents.appendingPathComponent("new"))
    }
    #expect(seen.failure == nil && seen.warnings.isEmpty)
  }

  @Test(.container) func `a test's 'perform' reports a write to the home at its call`() async throws
  {
    let container = try FakeContainer.current
    let issues = try await TestIssue.collecting {
      try await HostHome.$current.withValue(home) {
        try await container.perform { try Data().write(to: folder.url("Documents/new")) }
      }
    }
    #expect(issues.map(\.sourceLocation.fileName) == ["HostHomeTests.swift"])
    #expect(issues.first?.text.contains("/Documents'") == true)
  }

  @Test(.container) func `between calls, a test may write to the home`() async throws {
    let container = try FakeContainer.current
    try await HostHome.$current.withValue(home) {
      try Data().write(to: folder.url("Documents/new"))
      try container.backUp()
      try await container.perform { _ = try Data(contentsOf: folder.url("Documents/new")) }
    }
  }
}

/// A write to the home is an error if an action runs alone, and a warning if other code runs beside
/// it.
@Suite struct HomeCertaintyTests {
  @Test func `code that runs alone is recognised`() async throws {
    let containers = OpenContainers()
    let container = try FakeContainer(traits: nil, among: containers)
    await container.runCode {
      let before = containers.codeStartCountIfAlone
      #expect(before != nil)
      await container.runCode {}
      #expect(containers.codeStartCountIfAlone != before)
    }
    #expect(containers.codeStartCountIfAlone == nil)
  }

  @Test func `other code that has ended in the meantime is noticed`() async throws {
    let containers = OpenContainers()
    let container = try FakeContainer(traits: nil, among: containers)
    let otherContainer = try FakeContainer(traits: nil, among: containers)
    let folder = try TestFolder()
    let home = HostHome(environment: ["HOME": folder.path], processName: "xctest")
    let allComplaints: [HomeComplaint] = try await HostHome.$current.withValue(home) {
      let complaintsAlone = try await complaints(of: container) {
        try folder.write("", to: "Documents/a")
      }
      let complaintsBesideOther = try await complaints(of: container) {
        await otherContainer.runCode {}
        try folder.write("", to: "Documents/b")
      }
      return complaintsAlone + complaintsBesideOther
    }
    #expect(allComplaints.map(\.isCertain) == [true, false])
  }

  /// Returns the complaints about code that runs in a container.
  private func complaints(
    of container: FakeContainer, _ code: () async throws -> Void
  ) async throws -> [HomeComplaint] {
    let watch = try container.beginWatching(probing: true)
    try await container.runCode(inProcess: true) { try await code() }
    _ = try container.endWatching(watch)
    return container.takeHomeComplaints()
  }
}
