import BackupDiagnostics
import BackupScenarios
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupContainer
@testable import BackupVerdicts

/// A temporary file may be left beside a golden file or a report if its process is killed.
@Suite struct `A temporary file` {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// The identity of a process that has ended. It has the id of this process, but began at another
  /// time.
  private static func endedProcess() throws -> ProcessIdentity {
    let ownProcess = try #require(ProcessIdentity.own)
    return ProcessIdentity(
      processID: ownProcess.processID, startTime: ownProcess.startTime + 1,
      namespace: ownProcess.namespace)
  }

  @Test func `has its process in its name`() throws {
    let name = TemporaryFile.makeName(of: "a.golden")
    #expect(name.hasPrefix(".a.golden.sbt-"))
    #expect(TemporaryFile.owner(ofName: name) == ProcessIdentity.own)
    #expect(TemporaryFile.makeName(of: "a.golden") != name)
    #expect(
      TemporaryFile.owner(ofName: TemporaryFile.makeName(of: "a", owner: nil)) == nil)
  }

  @Test func `has a name that every file system takes`() {
    let longest = ProcessIdentity(processID: .max, startTime: .max, namespace: .max)
    let name = TemporaryFile.makeName(of: String(repeating: "😀", count: 100), owner: longest)
      .description
    #expect(name.utf8.count <= 255 && TemporaryFile.owner(ofName: name) == longest)
  }

  @Test(
    arguments: [
      "a.sbt-1-2-3-0000000000000004", ".sbt-1-2-3-0000000000000004",
      ".a.sbt-1-2-3-4", ".a.sbt-01-2-3-0000000000000004", ".a.sbt-0-2-3-0000000000000004",
      ".a.sbt-1-2-3-000000000000000A", ".a.sbt-+1-2-3-0000000000000004",
      ".a.sbt-1-2-3-0000000000000004.txt", ".a.sbt-1-2-3", ".a.sbt-1-2-3-4-0000000000000004",
      ".a.sbt-ffffffffff-2-3-0000000000000004", ".a.golden.6F9619FF-8B86-D011-B42D-00C04FC964FF",
    ])
  func `has a name of exactly one form`(other: String) {
    #expect(TemporaryFile.owner(ofName: other) == nil)
    #expect(TemporaryFile.owner(ofName: ".a.sbt-1-2-3-0000000000000004")?.processID == 1)
  }

  @Test func `that a killed process left is removed by the next write, and nothing else`() throws {
    let ownProcess = try #require(ProcessIdentity.own)
    let abandonedName = TemporaryFile.makeName(of: "a.golden", owner: try Self.endedProcess())
    let foreign = ProcessIdentity(
      processID: ownProcess.processID, startTime: ownProcess.startTime + 1,
      namespace: ownProcess.namespace ^ 1)
    let otherNames = [
      TemporaryFile.makeName(of: "a.golden", owner: ownProcess),
      TemporaryFile.makeName(of: "a.golden", owner: foreign),
      TemporaryFile.makeName(of: "folder", owner: try Self.endedProcess()),
      TemporaryFile.makeName(of: "link", owner: try Self.endedProcess()),
      ".a.golden.6F9619FF-8B86-D011-B42D-00C04FC964FF", "\(abandonedName).txt",
    ]
    try folder.write("half", to: abandonedName)
    for (index, name) in otherNames.enumerated() {
      switch index {
      case 2: try folder.makeFolder(name)
      case 3:
        try FileManager.default.createSymbolicLink(
          atPath: folder.url(name).path, withDestinationPath: "a.golden")
      default: try folder.write("theirs", to: name)
      }
    }
    try TextFile(path: folder.url("a.golden").path).write("whole")
    #expect(try folder.names() == (otherNames + ["a.golden"]).sorted())
    #expect(try folder.text(of: "a.golden") == "whole")
  }

  @Test func `that a killed process left is removed by a run that writes nothing`() async throws {
    let scenario = try Trial.scenario(["{ backup: 'a' }"], id: "deep/trial")
    let abandonedName = TemporaryFile.makeName(of: "trial.golden", owner: try Self.endedProcess())
    try folder.write("half", to: "deep/\(abandonedName)")
    _ = try await Trial.result(scenario, .never, goldens: GoldenStore(folder: folder.path))
    #expect(try folder.names() == ["deep"])
  }

  @Test func `is removed if another process took the new file's name`() throws {
    let file = TextFile(path: folder.url("new.json").path)
    try file.writeNew("first")
    let error = #expect(throws: RunError.self) { try file.writeNew("second") }
    #expect(error?.description.contains("new.json: cannot be written: file exists") == true)
    #expect(try folder.names() == ["new.json"])
    #expect(try folder.text(of: "new.json") == "first")
  }

  @Test func `is removed if the file cannot be replaced`() throws {
    try folder.makeFolder("taken/full")
    #expect(throws: (any Error).self) {
      try TextFile(path: folder.url("taken").path).write("text")
    }
    #expect(try folder.names() == ["taken", "taken/full"])
  }
}
