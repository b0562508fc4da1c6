#if os(macOS) || os(Linux)
import CBackupProcess
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios

/// A folder below which processes note what they change.
final class TapTrial: Sendable {
  /// Whether there is such a library on this platform.
  static let isThere = cpr_tap_name() != nil
  /// The folder below which this process notes changes; nil where it notes none.
  static let ownRoot = ProcessInfo.processInfo.environment["BACKUP_TESTING_TAP_ROOTS"]
    .map { URL(fileURLWithPath: $0, isDirectory: true) }

  let folder: TestFolder
  private let library: TapLibrary
  /// The folder below which changes are noted.
  var root: URL { folder.url("root") }
  var log: URL { folder.url("log") }

  init() throws {
    folder = try TestFolder()
    library = try #require(TapLibrary.find())
    try folder.makeFolder("root")
  }

  /// The variables of processes that note something.
  func variables(killedBefore: Int? = nil) -> [String: String] {
    library.variables(log: log, roots: [root], killedBefore: killedBefore)
  }

  /// Runs a shell script in the folder below which changes are noted; returns how it ended.
  @discardableResult
  func run(_ script: String, killedBefore: Int? = nil) async throws -> Termination {
    let command = ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", script],
      environment: variables(killedBefore: killedBefore).merging(["PATH": "/usr/bin:/bin"]) { $1 },
      directory: root.path, timeLimit: 600)
    return try await command.run(within: ProcessLimit(count: 1)).get().cause
  }

  func records() throws -> [TapRecord] {
    guard folder.exists("log") else { return [] }
    return try TapLog(Array(Data(contentsOf: log))).records
  }

  /// What was noted, each in a few words, with paths in the root.
  func lines() throws -> [String] { try records().map(line) }

  /// A change in a few words.
  func line(_ record: TapRecord) -> String {
    var words = ["\(record.kind)", inRoot(record.path)]
    switch record.kind {
    case .rename, .hardLink: words.append(inRoot(record.other))
    case .symbolicLink: words.append(String(decoding: record.data, as: UTF8.self))
    case .write, .copy: words.append("\(record.offset)+\(record.count)")
    case .truncate: words.append("\(record.argument)")
    case .setAttribute: words += [record.other, String(decoding: record.data, as: UTF8.self)]
    case .removeAttribute: words.append(record.other)
    case .allocate: words.append("\(record.offset)+\(record.argument)")
    default: break
    }
    return words.joined(separator: " ")
  }

  /// A path as the root has it.
  private func inRoot(_ path: String) -> String {
    path.hasPrefix(root.path + "/")
      ? String(path.dropFirst(root.path.count + 1)) : "OUTSIDE \(path)"
  }

  /// Does the noted changes anew in an empty folder; returns what that holds then.
  func replayed(_ name: String = "replayed") throws -> [String] {
    try folder.makeFolder(name)
    for record in try records() {
      try replay(record, in: folder.url(name))
    }
    return try Self.contents(of: folder.url(name))
  }

  private func replay(_ record: TapRecord, in copy: URL) throws {
    let path = copy.appendingPathComponent(inRoot(record.path)).path
    let other = copy.appendingPathComponent(inRoot(record.other)).path
    let result: Int32 =
      switch record.kind {
      case .create: close(open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600))
      case .truncate: truncate(path, off_t(record.argument))
      case .write, .copy: try write(record, to: path)
      case .rename: rename(path, other)
      case .hardLink: link(path, other)
      case .symbolicLink: symlink(String(decoding: record.data, as: UTF8.self), path)
      case .unlink: unlink(path)
      case .removeDirectory: rmdir(path)
      case .makeDirectory: mkdir(path, 0o700)
      case .allocate: truncate(path, off_t(record.offset + record.argument))
      case .setAttribute, .removeAttribute, .mapping, .unseen: 0
      }
    #expect(result == 0, "\(line(record)): \(String(cString: strerror(errno)))")
  }

  /// Writes the bytes of a change.
  private func write(_ record: TapRecord, to path: String) throws -> Int32 {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(record.offset))
    try file.write(
      contentsOf: record.data.isEmpty
        ? [UInt8](repeating: 0, count: Int(record.argument)) : record.data)
    try file.close()
    return 0
  }

  func contents() throws -> [String] { try Self.contents(of: root) }

  /// The items of a folder with what they hold, sorted.
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
