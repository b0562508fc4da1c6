import Foundation
import ShimmedApp
import Testing

@Suite struct MarkTests {
  @Test(arguments: BackupExclusion.allCases)
  func `A mark is set, read and cleared`(_ way: BackupExclusion) async throws {
    try await TestContainer.run { root in
      let file = root.appendingPathComponent("Documents/a.txt")
      try Data("a".utf8).write(to: file)
      #expect(try way.isSet(on: file) == false)
      try way.set(true, on: file)
      #expect(file.hasMark)
      for other in BackupExclusion.allCases { #expect(try other.isSet(on: file) == true) }
      try way.set(false, on: file)
      #expect(!file.hasMark)
      #expect(try way.isSet(on: file) == false)
      try way.set(false, on: file)
      #expect(try String(contentsOf: file, encoding: .utf8) == "a")
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `A folder can be marked, and its files stay unmarked`(_ way: BackupExclusion) async throws {
    try await TestContainer.run { root in
      let folder = root.appendingPathComponent("Library/Caches", isDirectory: true)
      let file = folder.appendingPathComponent("a")
      try Data().write(to: file)
      try way.set(true, on: folder)
      #expect(folder.hasMark)
      #expect(try way.isSet(on: file) == false)
    }
  }

  @Test(arguments: BackupExclusion.allCases, [true, false])
  func `A missing item throws`(_ way: BackupExclusion, _ isExcluded: Bool) async throws {
    try await TestContainer.run { root in
      let missing = root.appendingPathComponent("Documents/missing")
      let setting = #expect(throws: CocoaError.self) { try way.set(isExcluded, on: missing) }
      #expect(setting?.code == .fileNoSuchFile)
      #expect(setting?.userInfo[NSFilePathErrorKey] as? String == missing.path)
      let reading = #expect(throws: CocoaError.self) { try way.isSet(on: missing) }
      #expect(reading?.code == .fileReadNoSuchFile)
    }
  }

  @Test func `A mark is not set through a link`() async throws {
    try await TestContainer.run { root in
      let file = root.appendingPathComponent("Documents/a")
      let link = root.appendingPathComponent("Documents/link")
      try Data().write(to: file)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(throws: CocoaError.self) { try BackupExclusion.url.set(true, on: link) }
      #expect(!file.hasMark)
      try BackupExclusion.url.set(true, on: file)
      #expect(try BackupExclusion.url.isSet(on: link) == false)
    }
  }

  @Test func `Other values come from Foundation`() async throws {
    try await TestContainer.run { root in
      let file = root.appendingPathComponent("Documents/a")
      try Data(count: 5).write(to: file)
      let date = Date(timeIntervalSince1970: 1_000_000)
      try BackupExclusion.setChanged(date, on: file)
      let values = try BackupExclusion.describe(file)
      #expect(values.fileSize == 5)
      #expect(values.isDirectory == false)
      #expect(values.isExcludedFromBackup == true)
      #expect(
        try file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
          == date)
    }
  }

  @Test(arguments: BackupExclusion.allCases)
  func `Without a container, the result is Foundation's`(_ way: BackupExclusion) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try way.set(true, on: file)
    #expect(!file.hasMark)
    #expect(try way.isSet(on: file) == nil)
  }
}
