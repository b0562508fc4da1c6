import BackupDiagnostics
import BackupFileTree
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// Containers that the kit reads, but has not made.
@Suite struct FoundContainerTests {
  /// Returns the reason why a container cannot be read; nil if it can be read.
  private func reason(_ path: String, of identifier: String? = nil) -> String? {
    let error = thrownError { () throws(RunError) in
      _ = try FoundContainer(at: path, of: identifier)
    }
    return error?.description.split(separator: ": ", maxSplits: 1).last.map(String.init)
  }

  @Test func `a folder is read with its marks, and links are not followed`() throws {
    let folder = try TestFolder(["c/Documents/a.txt": "12345", "outside/secret": "x"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("c/Documents/link").path, withDestinationPath: folder.url("outside").path)
    try DiskPath(folder.url("c/Documents/a.txt")).setMark(.resourceValue, true)
    let found = try FoundContainer(at: folder.url("c").path)
    #expect(
      found.tree.paths.map(\.description) == ["Documents", "Documents/a.txt", "Documents/link"])
    let file = found.tree["Documents/a.txt"]
    #expect(file?.size == 5)
    #expect(file?.marks == .resourceValue)
    #expect(found.tree["Documents/link"]?.isDirectory == false)
    #expect(found.isLikelyContainer)
  }

  @Test func `reading a container changes nothing in it`() throws {
    let folder = try TestFolder(["c/Documents/a.txt": "12345", "c/Library/b.db-wal": "x"])
    let before = try Scanner.scan(ContainerRoots(DiskPath(folder.url("c"))))
    _ = try FoundContainer(at: folder.url("c").path)
    let after = try Scanner.scan(ContainerRoots(DiskPath(folder.url("c"))))
    var changedPaths: [ContainerPath] = []
    after.walk { path, item in
      let former = before[path]?.observation
      if former?.changeTime != item.observation.changeTime || former?.identity != item.stamp {
        changedPaths.append(path)
      }
      return true
    }
    #expect(changedPaths.isEmpty)
    #expect(try folder.names().count == 5)
  }

  @Test func `a package that Xcode downloaded holds the container as AppData`() throws {
    let folder = try TestFolder(["x.xcappdata/AppData/Documents/a.txt": "1", "x.xcappdata/b": "2"])
    let found = try FoundContainer(at: folder.url("x.xcappdata").path + "/")
    #expect(found.tree.paths.map(\.description) == ["Documents", "Documents/a.txt"])
    try folder.makeFolder("y.xcappdata")
    #expect(reason(folder.url("y.xcappdata").path) == "no such folder; check the path")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("y.xcappdata/AppData").path, withDestinationPath: "/")
    #expect(reason(folder.url("y.xcappdata").path)?.hasPrefix("this is not a folder") == true)
  }

  @Test func `a link at the given path is followed`() throws {
    let folder = try TestFolder(["c/tmp/a": "1"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("link").path, withDestinationPath: "c")
    #expect(try FoundContainer(at: folder.url("link").path).tree.contains("tmp/a"))
  }

  @Test func `the error says why a path is no container`() throws {
    let folder = try TestFolder(["file": "1", "strange/a.b:/x": "1", "odd/x": "1"])
    try folder.makeFolder("empty")
    #expect(reason(folder.url("missing").path) == "no such folder; check the path")
    #expect(reason(folder.url("file").path)?.hasPrefix("this is not a folder") == true)
    #expect(reason(folder.url("empty").path)?.hasPrefix("the folder is empty") == true)
    #expect(
      reason(folder.url("strange").path)?.hasPrefix(
        "'a.b:' is a name that the kit reserves") == true)
    #expect(try !FoundContainer(at: folder.url("odd").path).isLikelyContainer)
  }

  @Test func `the container of a group is at its name in a tree of all containers`() throws {
    let folder = try TestFolder(["c/Library/a": "1", "app/tmp/b": "1"])
    let found = try FoundContainer(at: folder.url("c").path, of: "group.x")
    #expect(found.tree.paths.map(\.description) == ["Library", "Library/a"])
    var tree = FileTree()
    tree.insert(found.tree, ofContainer: found.name)
    tree.insert(try FoundContainer(at: folder.url("app").path).tree, ofContainer: nil)
    #expect(
      tree.paths.map(\.description) == [
        "group.x:", "group.x:/Library", "group.x:/Library/a", "tmp", "tmp/b",
      ])
    #expect(found.isLikelyContainer)
  }

  private static let metadataName = ".com.apple.mobile_container_manager.metadata.plist"

  /// A property list as XML.
  private static func xml(_ body: String) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(body)</dict></plist>"
  }

  @Test(arguments: [(2, true), (4, false), (7, nil), (nil, nil)] as [(Int?, Bool?)])
  func `iOS's metadata file says whose a container is`(contentClass: Int?, isOwn: Bool?) throws {
    let contentClassEntry =
      contentClass.map { "<key>MCMMetadataContentClass</key><integer>\($0)</integer>" } ?? ""
    let text = Self.xml(
      "<key>MCMMetadataIdentifier</key><string>a.b_c</string>\(contentClassEntry)")
    let folder = try TestFolder([
      "c/\(Self.metadataName)": text, "x.xcappdata/AppData/\(Self.metadataName)": text,
    ])
    for name in ["c", "x.xcappdata"] {
      let owner = try #require(try FoundContainer.owner(of: folder.url(name).path))
      #expect(owner.identifier == "a.b_c")
      #expect(owner.isOwn == isOwn)
    }
  }

  @Test func `a binary metadata file is read too`() throws {
    let folder = try TestFolder(["c/tmp/a": "1"])
    let list = PropertyList.dictionary([
      "MCMMetadataIdentifier": .string("group.x"), "MCMMetadataContentClass": .integer(7),
    ])
    try Data(list.binaryBytes).write(to: folder.url("c/\(Self.metadataName)"))
    #expect(try FoundContainer.owner(of: folder.url("c").path)?.identifier == "group.x")
  }

  @Test(
    arguments: [
      "", "no list", "bplist00\u{1}", xml(""),
      xml("<key>MCMMetadataIdentifier</key><integer>1</integer>"),
      xml("<key>MCMMetadataIdentifier</key><string>a/../b.c</string>"),
      xml("<key>MCMMetadataIdentifier</key><string>a</string>"),
      xml(
        "<key>MCMMetadataIdentifier</key><string>a.\(String(repeating: "b", count: 154))</string>"),
      xml(
        "<key>MCMMetadataIdentifier</key><string>a.b</string>"
          + String(repeating: "<!-- -->", count: 200_000)),
      xml(String(repeating: "<key>a</key><dict>", count: 10_000)),
    ].map { LongText($0) })
  func `a malformed metadata file names no owner`(metadata: LongText) throws {
    let folder = try TestFolder(["c/\(Self.metadataName)": metadata.text])
    #expect(try FoundContainer.owner(of: folder.url("c").path) == nil)
    #expect(try FoundContainer.owner(of: folder.url("missing").path) == nil)
  }

  @Test func `a metadata file that is a link or a pipe names no owner`() throws {
    let text = Self.xml("<key>MCMMetadataIdentifier</key><string>a.b</string>")
    let folder = try TestFolder(["note": text, "c/tmp/a": "1", "d/tmp/a": "1"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("c/\(Self.metadataName)").path, withDestinationPath: "../note")
    #expect(mkfifo(folder.url("d/\(Self.metadataName)").path, 0o600) == 0)
    for name in ["c", "d"] { #expect(try FoundContainer.owner(of: folder.url(name).path) == nil) }
  }
}
