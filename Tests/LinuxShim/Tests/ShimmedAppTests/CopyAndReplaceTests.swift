import Foundation
import ShimmedApp
import Testing

@Suite struct CopyAndReplaceTests {
  private let store = DownloadStore()

  @Test(arguments: [false, true])
  func `A copy of a file keeps the mark`(_ usesPaths: Bool) async throws {
    try await TestContainer.run { root in
      let file = try store.save(Data("a".utf8), as: "a")
      let copy = root.appendingPathComponent("Documents/copy")
      try store.copy(file, to: copy, usesPaths: usesPaths)
      #expect(copy.hasMark)
      #expect(try String(contentsOf: copy, encoding: .utf8) == "a")
      try BackupExclusion.url.set(false, on: file)
      let unmarkedCopy = root.appendingPathComponent("Documents/plain")
      try store.copy(file, to: unmarkedCopy, usesPaths: usesPaths)
      #expect(!unmarkedCopy.hasMark)
    }
  }

  @Test(arguments: [false, true])
  func `A copy of a folder keeps the marks of all it holds`(_ usesPaths: Bool) async throws {
    try await TestContainer.run { root in
      let file = try store.save(Data(), as: "a")
      let unmarked = store.folder.appendingPathComponent("plain")
      try Data().write(to: unmarked)
      let copy = root.appendingPathComponent("Documents/copy")
      try store.copy(store.folder, to: copy, usesPaths: usesPaths)
      #expect(!copy.hasMark)
      #expect(copy.appendingPathComponent(file.lastPathComponent).hasMark)
      #expect(!copy.appendingPathComponent("plain").hasMark)
      try BackupExclusion.url.set(true, on: store.folder)
      let second = root.appendingPathComponent("Documents/second")
      try store.copy(store.folder, to: second, usesPaths: usesPaths)
      #expect(second.hasMark)
    }
  }

  @Test(arguments: [false, true])
  func `A copy keeps every attribute, as Apple's copyfile does`(_ usesPaths: Bool) async throws {
    try await TestContainer.run { root in
      let names = ["user.swift-backup-testing.identity", "user.com.example.note"]
      let file = try store.save(Data(), as: "a")
      for name in names { file.setAttribute(name) }
      let copy = root.appendingPathComponent("Documents/copy", isDirectory: true)
      try store.copy(store.folder, to: copy, usesPaths: usesPaths)
      for name in names { #expect(copy.appendingPathComponent("a").hasAttribute(name)) }
    }
  }

  @Test func `A copy of a read-only file keeps the mark and stays read-only`() async throws {
    try await TestContainer.run { root in
      let file = try store.save(Data(), as: "a")
      let mode = 0o444
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      let copy = root.appendingPathComponent("Documents/copy")
      try store.copy(file, to: copy, usesPaths: false)
      #expect(copy.hasMark)
      let attributes = try FileManager.default.attributesOfItem(atPath: copy.path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
  }

  @Test func `A copy of a link does not get the mark of its destination`() async throws {
    try await TestContainer.run { root in
      let file = try store.save(Data(), as: "a")
      let link = file.deletingLastPathComponent().appendingPathComponent("link")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: ".")
      let copy = root.appendingPathComponent("Documents/copy")
      try store.copy(link, to: copy, usesPaths: false)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: copy.path) == ".")
      #expect(!root.appendingPathComponent("Documents").hasMark)
    }
  }

  @Test func `A replaced file has the new data and no mark`() async throws {
    try await TestContainer.run { root in
      let file = try store.save(Data("old".utf8), as: "a")
      #expect(try store.replace(file, with: Data("new".utf8)) == file)
      #expect(try String(contentsOf: file, encoding: .utf8) == "new")
      #expect(!file.hasMark)
      let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
      #expect(names == ["a"])
    }
  }

  @Test func `A backup of the replaced file stays if the app wants it`() async throws {
    try await TestContainer.run { _ in
      let file = try store.save(Data("old".utf8), as: "a")
      let backup = store.folder.appendingPathComponent("b")
      for text in ["new", "newer"] {
        #expect(try store.replace(file, with: Data(text.utf8), backupName: "b")?.path == file.path)
      }
      #expect(try String(contentsOf: file, encoding: .utf8) == "newer")
      #expect(try String(contentsOf: backup, encoding: .utf8) == "new")
    }
  }

  @Test func `A folder that is not empty is replaced`() async throws {
    try await TestContainer.run { root in
      let old = try store.save(Data(), as: "old").deletingLastPathComponent()
      let new = root.appendingPathComponent("tmp/new", isDirectory: true)
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
      try Data().write(to: new.appendingPathComponent("new"))
      _ = try store.replace(old, withItemAt: new)
      #expect(try FileManager.default.contentsOfDirectory(atPath: old.path) == ["new"])
      #expect(!FileManager.default.fileExists(atPath: new.path))
    }
  }

  @Test func `A replacement that fails changes nothing`() async throws {
    try await TestContainer.run { root in
      let file = try store.save(Data("old".utf8), as: "a")
      let missing = root.appendingPathComponent("tmp/missing")
      #expect(throws: CocoaError.self) { try store.replace(file, withItemAt: missing) }
      #expect(try String(contentsOf: file, encoding: .utf8) == "old")
      #expect(file.hasMark)
      #expect(throws: CocoaError.self) { try store.replace(missing, withItemAt: file) }
      #expect(try String(contentsOf: file, encoding: .utf8) == "old")
    }
  }

  @Test func `A replacement without a container is safe too`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a")
    let new = folder.appendingPathComponent("b")
    try Data("old".utf8).write(to: file)
    try Data("new".utf8).write(to: new)
    _ = try store.replace(file, withItemAt: new)
    #expect(try String(contentsOf: file, encoding: .utf8) == "new")
  }
}
