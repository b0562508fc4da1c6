import BackupTesting
import Foundation
import ShimmedApp
import Testing

/// With the shim, interfaces that Linux lacks or implements differently work as on iOS.
@Suite struct DarwinInterfaceTests {
  /// The mark of iOS 5.0.1, by the attribute's name in an app's code.
  private static let mark = "com.apple.MobileBackup"

  @Test func `The kit gives the container of a group`() {
    CurrentGroupContainer.$paths.withValue(["group.a": "/groups/a"]) {
      #expect(DarwinInterfaces.shared("group.a") == URL(fileURLWithPath: "/groups/a/"))
      #expect(DarwinInterfaces.shared("group.b") == nil)
    }
    #expect(DarwinInterfaces.shared("group.a") == nil)
  }

  @Test func `The main bundle has the app's identifier while an app is tested`() {
    let identifierWithoutApp = DarwinInterfaces.identifier
    #expect(identifierWithoutApp != "com.example.app")
    CurrentBundleIdentifier.$identifier.withValue("com.example.app") {
      #expect(DarwinInterfaces.identifier == "com.example.app")
    }
  }

  @Test func `A Cocoa error has the system's error as an underlying NSError`() {
    let cause = DarwinInterfaces.cause(ofReading: URL(fileURLWithPath: "/nowhere/at/all"))
    #expect(cause?.domain == NSPOSIXErrorDomain && cause?.code == Int(ENOENT))
  }

  @Test func `NSURL makes the URL of a file`() {
    let urls = DarwinInterfaces.file("/nowhere/at all")
    #expect(
      urls.map(\.absoluteString) == ["file:///nowhere/at%20all", "file:///nowhere/at%20all/"])
  }

  @Test(arguments: BackupExclusion.allCases)
  func `A mark on a URL without the scheme file is refused in a container`(
    _ way: BackupExclusion
  ) async throws {
    let url = try #require(URL(string: "Documents/a"))
    try await TestContainer.run { _ in
      let setting = #expect(throws: CocoaError.self) { try way.set(true, on: url) }
      #expect(setting?.code == .fileWriteUnsupportedScheme)
      let reading = #expect(throws: CocoaError.self) { try way.isSet(on: url) }
      #expect(reading?.code == .fileReadUnsupportedScheme)
    }
    await Task.detached { try? way.set(true, on: url) }.value
    #expect(CurrentContainer.lostCalls.contains { $0.contains("isExcludedFromBackup") })
  }

  @Test func `An attribute is set under the kit's name, and is read, listed and removed`()
    async throws
  {
    typealias Attribute = DarwinInterfaces.Attribute
    try await TestContainer.withFile { file in
      file.setAttribute("user.swift-backup-testing.identity")
      #expect(Attribute.set(Self.mark, on: file.path) == 0)
      #expect(file.hasAttribute("user.com.apple.MobileBackup"))
      #expect(Attribute.size(of: Self.mark, on: file.path) == 1)
      #expect(Attribute.names(on: file.path) == [Self.mark])
      #expect(Attribute.remove(Self.mark, on: file.path) == 0)
      #expect(Attribute.remove(Self.mark, on: file.path) == -Attribute.missing)
      #expect(Attribute.size(of: Self.mark, on: file.path) == Int(-Attribute.missing))
      #expect(Attribute.names(on: file.path) == [])
      let results = try Attribute.roundTrip(of: Self.mark, on: file)
      #expect(results == [0, 3, Self.mark.count + 1, 0])
    }
  }

  @Test func `Options and names mean what they mean on Darwin`() async throws {
    typealias Attribute = DarwinInterfaces.Attribute
    let (create, replace) = Attribute.options
    try await TestContainer.withFile { file in
      let path = file.path
      #expect(Attribute.set("a", on: path, replace) == -Attribute.missing)
      #expect(Attribute.set("a", on: path, create) == 0)
      #expect(Attribute.set("a", on: path, create) == -EEXIST)
      #expect(Attribute.set("a", on: path, create | replace) == -EINVAL)
      #expect(Attribute.set("a", on: path, 64) == -EINVAL)
      #expect(Attribute.size(of: "a", on: path, position: 1) == Int(-EINVAL))
      #expect(Attribute.set("", on: path) == -EINVAL)
      #expect(Attribute.set(String(repeating: "n", count: 127), on: path) == 0)
      #expect(Attribute.set(String(repeating: "n", count: 128), on: path) == -ENAMETOOLONG)
    }
  }

  @Test func `A mark on a missing item is noted, and a mark that the kit hides can be removed`()
    async throws
  {
    typealias Attribute = DarwinInterfaces.Attribute
    try await TestContainer.withFile { file in
      let missing = file.path + "-missing"
      #expect(Attribute.set(Self.mark, on: missing) == -ENOENT)
      #expect(Attribute.set("other", on: missing) == -ENOENT)
      let device = file.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      let notes = try Data(contentsOf: device.appendingPathComponent("marks-on-missing-items"))
      #expect(notes == Data(missing.utf8 + [0]))
      file.setAttribute("user.swift-backup-testing.probe.attribute")
      #expect(Attribute.remove(Self.mark, on: file.path) == 0)
      #expect(!file.hasAttribute("user.swift-backup-testing.probe.attribute"))
    }
  }
}
