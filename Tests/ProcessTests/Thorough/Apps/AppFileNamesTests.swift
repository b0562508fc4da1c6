#if os(macOS) || os(Linux)
import BackupContainer
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// The kit moves Foundation's files only inside the container.
struct AppFileNamesTests {
  /// Has the container `home`, and a folder `outside` that the kit must not change.
  let folder: TestFolder
  var names = AppFileNames(process: "tests", bundle: "debug", bundleIdentifier: "com.example.app")
  var home: ContainerHome { ContainerHome(folder.url("home")) }

  init() throws {
    folder = try TestFolder([
      "home/Library/Preferences/tests.plist": "own", "outside/tests.plist": "theirs",
      "outside/fsCachedData/1": "theirs",
    ])
    try folder.makeFolder("outside/debug")
  }

  @Test mutating func `the files have the paths of iOS while the app is stopped`() throws {
    try folder.makeFolder("home/Library/Application Support/debug")
    try names.moveToSystemPaths(in: home)
    #expect(folder.files(in: "home") == ["Library/Preferences/com.example.app.plist"])
    #expect(!folder.exists("home/Library/Application Support"))
    try names.moveToFoundationPaths(in: home)
    #expect(folder.files(in: "home") == ["Library/Preferences/tests.plist"])
    #expect(folder.exists("home/Library/Application Support/debug"))
  }

  @Test(arguments: [
    "Library/Preferences", "Library/Caches", "Library/Application Support",
    "Library/Caches/com.example.app",
  ])
  mutating func `a link to the outside does not let the kit change files there`(_ path: String)
    throws
  {
    let link = folder.url("home/\(path)")
    try? FileManager.default.removeItem(at: link)
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: folder.path + "/outside")
    let former = try folder.names().filter { $0.hasPrefix("outside") }
    for _ in 1...2 {
      try names.moveToSystemPaths(in: home)
      #expect(try folder.names().filter { $0.hasPrefix("outside") } == former)
      try names.moveToFoundationPaths(in: home)
      #expect(try folder.names().filter { $0.hasPrefix("outside") } == former)
    }
  }
}
#endif
