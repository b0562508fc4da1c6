import BackupContainer
import BackupDevice
import BackupFileTree
import BackupReports
import BackupRules
import Foundation

@testable import BackupFolders
@testable import BackupScenarios
@testable import BackupVerdicts

/// The readers of what others have written. Each takes any bytes, and ends by a value or an error.
///
/// `Tests/Scripts/fuzz` builds this with libFuzzer and runs one reader after the other; the variable
/// `READER` names it.
private let readers: [String: @Sendable ([UInt8]) throws -> Void] = [
  "scenario": { bytes in
    let scenario = try Scenario(text: String(decoding: bytes, as: UTF8.self), id: "fuzzed")
    _ = scenario.exploration
  },
  "golden": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = try Scenario.goldenFile(text, of: example.id, at: "fuzzed.golden")
    for variant in example.variants { _ = example.goldenSection(of: variant, in: lines) }
    _ = LineDifference(golden: lines, actual: String(lines.reversed()))
  },
  "property-list": { _ = PropertyList(anyBytes: $0) },
  "archive": { _ = (BackupRecord.read(archive: $0), BackupRecord.encryptionKey(archive: $0)) },
  "tap-log": { _ = try TapLog($0).records },
  "container-list": { _ = try ContainerList($0).tree() },
  "manifest": { bytes in
    try Data(bytes).write(to: URL(fileURLWithPath: "\(backup)/Manifest.db"))
    let backup = try BackupFolder(at: backup)
    let domain = BackupDomain(nil, of: "com.example.app")
    let contents = try backup.contents(of: [domain], app: "com.example.app")
    guard let profile = backup.profile else { return }
    _ =
      BackupComparison(
        contents, with: FileTree(), domains: [domain], known: [domain], on: profile
      ).text
  },
]

/// A scenario whose golden file is read.
private let example: Scenario = {
  do {
    return try Scenario(
      text: "{ title: 'x', steps: [{ save: 'Documents/a', size: 1 }, { backup: 'b' }] }", id: "x")
  } catch {
    preconditionFailure("\(error)")
  }
}()

/// The device's folder of a backup, in which the manifest is replaced.
private let backup = ProcessInfo.processInfo.environment["BACKUP"] ?? ""

private let reader: @Sendable ([UInt8]) throws -> Void = {
  let name = ProcessInfo.processInfo.environment["READER"] ?? ""
  guard let reader = readers[name] else {
    print("READER is '\(name)'; expected one of \(readers.keys.sorted().joined(separator: ", "))")
    exit(2)
  }
  return reader
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // What is refused is an error; a crash, a hang or too much memory is what is looked for.
  try? reader(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
