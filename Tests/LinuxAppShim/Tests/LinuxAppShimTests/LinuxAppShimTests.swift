import Foundation
import PlainStore
import ShimmedApp
import Testing

/// A module without a file of the shim, in an executable that has LinuxAppShim.
@Suite struct LinuxAppShimTests {
  /// Where iOS puts what `PlainStore.answers` asks for, relative to the container.
  private static let places = [
    "NSHomeDirectory": "",
    "NSTemporaryDirectory": "/tmp/",
    "temporaryDirectory": "/tmp",
    "homeDirectoryForCurrentUser": "",
    "URL.homeDirectory": "",
    "URL.temporaryDirectory": "/tmp",
    "urls library": "/Library",
    "urls movies": "/Movies",
    "search documents": "/Documents",
    "url caches": "/Library/Caches",
  ]

  @Test func `A thread's questions are answered with places in the container`() throws {
    try TestContainer.run { container in
      var expected = Self.places.mapValues { container.root.path + $0 }
      expected["bundle"] = "com.example.plain"
      let lines = expected.map { "\($0.key)=\($0.value)" }.sorted()
      let answers = try container.runApp("answers", identifier: "com.example.plain")
      #expect(answers == lines)
    }
  }

  @Test func `A saved file is marked, a copy keeps the mark, and a replacement its data`() throws {
    try TestContainer.run { container in
      let files = try container.runApp("save").map(URL.init(fileURLWithPath:))
      #expect(files.map(\.lastPathComponent) == ["saved", "copied", "replaced"])
      #expect(files.map(\.hasMark) == [true, true, false])
      let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
      #expect(texts == ["old", "old", "new"])
      #expect(files.allSatisfy { $0.path.hasPrefix(container.root.path) })
    }
  }

  @Test func `Beside a module with the file of the shim both do`() throws {
    try TestContainer.run { container in
      let file = URL(fileURLWithPath: try #require(try container.runApp("with the file").first))
      #expect(file.path == container.root.path + "/Library/Application Support/Downloads/a")
      #expect(file.hasMark)
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `In the test's own process a mark is set by the item's path`(_ way: BackupExclusion) throws {
    try TestContainer.run { container in
      let file = container.root.appendingPathComponent("Documents/a")
      try Data().write(to: file)
      #expect(try way.isSet(on: file) == false)
      try way.set(true, on: file)
      #expect(file.hasMark)
      for other in BackupExclusion.allCases { #expect(try other.isSet(on: file) == true) }
      try way.set(false, on: file)
      #expect(!file.hasMark)
      #expect(try BackupExclusion.describe(file).fileSize == 0)
      let missing = container.root.appendingPathComponent("Documents/missing")
      let error = #expect(throws: CocoaError.self) { try way.set(true, on: missing) }
      #expect(error?.code == .fileNoSuchFile)
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `Without a container Foundation decides`(_ way: BackupExclusion) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data(count: 3).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try way.set(true, on: file)
    #expect(!file.hasMark)
    #expect(try way.isSet(on: file) == nil)
    #expect(try BackupExclusion.describe(file).fileSize == 3)
    let answers = try PlainStore.answers()
    #expect(answers["NSHomeDirectory"] == answers["URL.homeDirectory"])
    #expect(answers["bundle"] == "nil")
  }
}
