#if os(macOS) || os(Linux)
import BackupFileTree
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios

/// Runs processes with the tap, a library that logs each change of files below the folder `root`.
final class TapTrial: Sendable {
  /// Whether the tap exists on this platform.
  static let isTapAvailable = cpr_tap_name() != nil
  /// The folder below which the tap logs this process's changes; nil if the process has no tap.
  static let loggedRoot = ProcessInfo.processInfo.environment["BACKUP_TESTING_TAP_ROOTS"]
    .map { URL(fileURLWithPath: $0, isDirectory: true) }

  let folder: TestFolder
  private let library: TapLibrary
  var root: URL { folder.url("root") }
  var log: URL { folder.url("log") }

  init() throws {
    folder = try TestFolder()
    library = try #require(TapLibrary.find())
    try folder.makeFolder("root")
  }

  /// The environment variables that load the tap into a process.
  ///
  /// If `killedBefore` is 3, the tap kills the process before its third change.
  func variables(killedBefore: Int? = nil) -> [String: String] {
    library.variables(log: log, roots: [root], killedBefore: killedBefore)
  }

  /// Runs a shell script with the tap in `root`, and returns how the script ended.
  @discardableResult
  func run(_ script: String, killedBefore: Int? = nil) async throws -> Termination {
    let command = ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", script],
      environment: variables(killedBefore: killedBefore).merging(["PATH": "/usr/bin:/bin"]) { $1 },
      directory: root.path, timeLimit: 600)
    return try await command.run(within: ProcessLimit(count: 1)).get().cause
  }

  func changes() throws -> [FileChange] {
    guard folder.exists("log") else { return [] }
    return try TapLog(Array(Data(contentsOf: log)), path).changes
  }

  /// A path relative to `root`.
  private func path(_ absolute: String) -> ContainerPath? {
    try? ContainerPath(
      absolute.hasPrefix(root.path + "/")
        ? String(absolute.dropFirst(root.path.count + 1)) : "OUTSIDE" + absolute)
  }

  /// The logged changes, each as a line. For example, `write a 0+6` writes six bytes at offset 0.
  func lines() throws -> [String] { try changes().map(line) }

  private func line(_ change: FileChange) -> String {
    switch change {
    case .create(let path): "create \(path)"
    case .resize(let path, to: let size): "resize \(path) \(size)"
    case .write(let path, let contents, at: let offset, let isCopy, _):
      "\(isCopy ? "copy" : "write") \(path) \(offset)+\(contents.size)"
    case .clone(let source, to: let path): "clone \(source) \(path)"
    case .rename(let source, to: let path): "rename \(source) \(path)"
    case .hardLink(let path, of: let other): "addPath \(path) of \(other)"
    case .link(let path, target: let target):
      "link \(path) \(String(decoding: target, as: UTF8.self))"
    case .remove(let path, isDirectory: let isDirectory):
      "remove\(isDirectory ? "Directory" : "") \(path)"
    case .createDirectory(let path): "createDirectory \(path)"
    case .setMark(let mark, on: let path, isSet: let isSet):
      "\(isSet ? "mark" : "unmark") \(path) \(mark)"
    case .unseen(let path): "unseen \(path)"
    }
  }

  /// Repeats the logged changes in an empty folder, and returns the folder's contents.
  func replayed(_ name: String = "replayed") throws -> [String] {
    try folder.makeFolder(name)
    let roots = ContainerRoots(DiskPath(folder.url(name)))
    for change in try changes() {
      #expect(throws: Never.self, "\(line(change))") { try roots.apply(change) }
    }
    return try Self.contents(of: folder.url(name))
  }

  func contents() throws -> [String] { try Self.contents(of: root) }

  /// The items of a folder, each as `directory/`, `link -> destination` or `file: bytes in Base64`.
  private static func contents(of folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
      let path = folder.appendingPathComponent(name).path
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      return switch type {
      case .typeDirectory: "\(name)/"
      case .typeSymbolicLink:
        "\(name) -> \(try FileManager.default.destinationOfSymbolicLink(atPath: path))"
      default: "\(name): \(try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString())"
      }
    }
  }
}
#endif
