import BackupContainer
import BackupDevice
import BackupFileTree
import BackupRules
import Foundation

@testable import BackupFolders
@testable import BackupReports
@testable import BackupScenarios
@testable import BackupVerdicts

/// The readers of files that the kit did not write. For any bytes, each returns a value or throws
/// an error.
///
/// `Tests/Scripts/fuzz` builds this file with libFuzzer, and runs one reader after the other. The
/// environment variable `READER` names the reader.
private let readers: [String: @Sendable ([UInt8]) throws -> Void] = [
  "scenario": { bytes in
    let scenario = try Scenario(text: String(decoding: bytes, as: UTF8.self), id: "fuzzed")
    _ = scenario.exploration
  },
  "golden": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = try GoldenDocument.checked(text, of: example.id, at: "fuzzed.golden")
    for variant in example.variants { _ = example.goldenSection(of: variant, in: lines) }
    _ = LineDifference(golden: lines, actual: String(lines.reversed()))
  },
  "property-list": { _ = PropertyList(parsing: $0) },
  "archive": { _ = (BackupRecord.read(archive: $0), BackupRecord.encryptionKey(archive: $0)) },
  "tap-log": { _ = try TapLog($0) { try? ContainerPath($0.dropFirst()) }.changes },
  "results": { bytes in
    let report = try SuiteReport(results: bytes)
    for format in SuiteReport.formats { _ = try format.write(report) }
  },
  "coverage": { bytes in
    let coverage = try Coverage(json: Data(bytes), date: .distantPast)
    _ = (try? coverage.isOlder(than: "x"), coverage.count(file: "a.swift", line: 1, column: 1))
  },
  // A new golden file, which a run leaves for a review beside the old one.
  "pending": { bytes in
    try Data(bytes).write(to: URL(fileURLWithPath: "\(goldenFolder)/x.golden.new"))
    let pending = try GoldenStore(folder: goldenFolder).readPending("x")
    _ = (pending.title, pending.details(isColored: false))
    _ = PendingGolden.groups(of: [pending, pending])
  },
  "key-bag": { bytes in
    guard let list = PropertyList(parsing: bytes) else { return }
    let keyBag = try KeyBag(list, at: "fuzzed")
    // A key bag with many iterations takes long, and libFuzzer would report that as a hang.
    guard keyBag.derivations.allSatisfy({ $0.iterations <= 100 }) else { return }
    _ = try keyBag.keys(password: "password")
  },
  // Two lists of a probe app, before and after an event such as an update. The byte 0xFF separates
  // them, because no UTF-8 text has it.
  "probe-lists": { bytes in
    guard let (folder, contents) = probeBackup, let profile = folder.profile else { return }
    let lists = bytes.split(separator: 0xFF, maxSplits: 1).map { Array($0) }
    let answers = try ProbeAnswers(of: app, in: folder, contents, on: profile, kit: "0") { path in
      ContainerList.allPaths.firstIndex(of: path).flatMap {
        lists.indices.contains($0) ? lists[$0] : nil
      }
    }
    _ = (answers?.text, answers?.json)
  },
  "container-list": { _ = try ContainerList($0).tree() },
  "manifest": { bytes in
    try Data(bytes).write(to: URL(fileURLWithPath: "\(backupPath)/Manifest.db"))
    let backup = try BackupFolder(at: backupPath)
    let domain = BackupDomain(nil, of: "com.example.app")
    let contents = try backup.contents(of: [domain], app: "com.example.app")
    guard let profile = backup.profile else { return }
    _ =
      BackupComparison(
        contents, with: FileTree(), domains: [domain], examined: [domain], on: profile
      ).text
  },
]

/// The scenario of the golden files.
private let example: Scenario = {
  do {
    return try Scenario(
      text: "{ title: 'x', steps: [{ save: 'Documents/a', size: 1 }, { backup: 'b' }] }", id: "x")
  } catch {
    preconditionFailure("\(error)")
  }
}()

/// A folder with the golden file `x`. Each input for `pending` is written beside it.
private let goldenFolder = ProcessInfo.processInfo.environment["GOLDEN"] ?? ""

private let app = "com.example.app"

/// A backup that no input changes, and its contents of the app.
private let probeBackup: (folder: BackupFolder, contents: BackupContents)? = {
  let path = ProcessInfo.processInfo.environment["PROBE"] ?? ""
  guard let folder = try? BackupFolder(at: path),
    let contents = try? folder.contents(of: [BackupDomain(nil, of: app)], app: app)
  else { return nil }
  return (folder, contents)
}()

/// A device's folder in a backup. Each input for `manifest` replaces its `Manifest.db`.
private let backupPath = ProcessInfo.processInfo.environment["BACKUP"] ?? ""

private let reader: @Sendable ([UInt8]) throws -> Void = {
  let name = ProcessInfo.processInfo.environment["READER"] ?? ""
  guard let reader = readers[name] else {
    print("READER is '\(name)'; expected one of \(readers.keys.sorted().joined(separator: ", "))")
    exit(2)
  }
  return reader
}()

/// libFuzzer calls this function with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // An error is a correct result. libFuzzer looks for crashes, hangs and too much memory.
  try? reader(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
