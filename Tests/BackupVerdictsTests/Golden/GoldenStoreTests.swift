import BackupDiagnostics
import BackupScenarios
import Foundation
import TestSupport
import Testing

@testable import BackupVerdicts

@Suite struct `A folder of golden files` {
  @Test func `lies beside the scenarios`() {
    for (scenarios, golden) in [
      ("Scenarios", "Golden"), ("a/Scenarios", "a/Golden"), ("/Scenarios", "/Golden"),
      ("a/Scenarios/", "a/Golden"), ("a/Sync", "a/Golden-Sync"), ("Sync/", "Golden-Sync"),
      ("Sync/Scenarios/..", "Sync/Scenarios/../../Golden-Sync"),
    ] {
      #expect(GoldenStore(besideScenarios: scenarios).folder == golden)
    }
    #expect(GoldenStore(folder: "a/").path(of: "b/c") == "a/b/c.golden")
  }

  @Test func `names only the golden files without a scenario`() throws {
    let folder = try TestFolder()
    for name in ["a.golden", "b/c.golden", "b/d.golden", "notes.txt", "e.golden/f.txt"] {
      try folder.write("x", to: name)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/l.golden", withDestinationPath: "a.golden")
    let orphans = try GoldenStore(folder: folder.path).orphans(notOwnedBy: ["b/c"])
    #expect(orphans == ["\(folder.path)/a.golden", "\(folder.path)/b/d.golden"])
    #expect(try GoldenStore(folder: "\(folder.path)/none").orphans(notOwnedBy: []) == [])
  }

  @Test func `that is a file is an error`() throws {
    let folder = try TestFolder()
    try folder.write("x", to: "Golden")
    let error = #expect(throws: RunError.self) {
      try GoldenStore(folder: "\(folder.path)/Golden").orphans(notOwnedBy: [])
    }
    let message = "\(folder.path)/Golden: the folder of golden files cannot be read, because "
    #expect(error?.description.hasPrefix(message) == true)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read anything"))
  func `with an unreadable folder inside is an error`() throws {
    let folder = try TestFolder()
    try folder.write("x", to: "a.golden")
    try folder.write("x", to: "closed/b.golden")
    try folder.setPermissions(0o000, of: "closed")
    let error = #expect(throws: RunError.self) {
      try GoldenStore(folder: folder.path).orphans(notOwnedBy: [])
    }
    try folder.setPermissions(0o700, of: "closed")
    #expect(error?.description.hasPrefix("\(folder.path)/closed: ") == true)
  }

  @Test func `ignores a file that may belong to a scenario on a file system that ignores case`()
    throws
  {
    let folder = try TestFolder()
    let store = GoldenStore(folder: folder.path)
    try folder.write("x", to: "Movie.golden")
    #expect(try store.orphans(notOwnedBy: ["movie"]) == [])
    try folder.write("x", to: "movie.golden")
    if try folder.names().count == 2 {
      #expect(try store.orphans(notOwnedBy: ["movie"]) == ["\(folder.path)/Movie.golden"])
    }
  }
}
