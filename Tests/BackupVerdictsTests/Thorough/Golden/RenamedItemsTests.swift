import BackupDevice
import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupReports
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Renamed items` {
  /// The difference of golden files with these lines in a step's section.
  static func difference(
    _ golden: [String], _ actual: [String], step: String = "backup \"b\""
  ) throws -> LineDifference {
    let texts = [golden, actual].map { lines in
      let title = "\(step): \(lines.count.counted("file"))"
      return (["# golden 2: a", title] + lines).map { "\($0)\n" }.joined()
    }
    return try #require(LineDifference(golden: texts[0], actual: texts[1]))
  }

  @Test(
    arguments: [
      (
        ["  in   Movies/1.mp4  7 bytes"], ["  in   Films/1.mp4  7 bytes"],
        ["renamed: Movies/1.mp4 → Films/1.mp4"], 0
      ),
      (
        [
          "  in   D/Movies/1.mp4  7 bytes", "  in   D/Movies/2.mp4  7 bytes",
          "  out  D/Movies/3.mp4  (own mark)",
        ],
        [
          "  in   D/Films/1.mp4  7 bytes", "  in   D/Films/2.mp4  7 bytes",
          "  out  D/Films/3.mp4  (own mark)",
        ],
        ["renamed: Movies/ → Films/ (3 files)"], 0
      ),
      (["  in   D/a  7 bytes"], ["  in   D/b  7 bytes"], ["renamed: D/a → D/b"], 0),
      (["  in   D/a  7 bytes"], ["  in   D/b  8 bytes"], [], 2),
      (["  in   D/a  7 bytes"], ["  out  D/b  (own mark)"], [], 2),
      (["  out  D/a  (own mark)"], ["  out  L/b  (own mark)"], [], 2),
      (
        ["  in   D/a  7 bytes", "  in   D/b  7 bytes"],
        ["  in   D/c  7 bytes", "  in   D/d  7 bytes"], [], 4
      ),
      (
        ["  in   D/a  7 bytes", "  in   D/b  7 bytes"],
        ["  in   D/New/a  7 bytes", "  in   D/New/b  7 bytes"],
        ["renamed: D/ → D/New/ (2 files)"], 0
      ),
      (
        ["  in   A/1/x  7 bytes", "  in   A/2/x  7 bytes", "  in   A/2/y  7 bytes"],
        ["  in   B/1/x  7 bytes", "  in   B/2/x  7 bytes", "  in   B/2/y  7 bytes"],
        ["renamed: A/ → B/ (3 files)"], 0
      ),
      (
        ["  in   A/1/", "  in   A/2/"], ["  in   B/1/", "  in   B/2/"],
        ["renamed: A/ → B/ (2 directories)"], 0
      ),
      (["  in   a  7 bytes"], ["  in   D/a  7 bytes"], ["renamed: a → D/a"], 0),
    ])
  func `are found if their lines differ only in the path`(
    golden: [String], actual: [String], lines: [String], rest: Int
  ) throws {
    let renamed = RenamedItems(in: try Self.difference(golden, actual))
    #expect(renamed.lines == lines)
    #expect(renamed.unexplainedLines.count == rest)
  }

  @Test func `make the changes of several golden files equal, as equal lines do`() throws {
    func change(_ golden: [String], _ actual: [String], step: String) throws -> GoldenChange {
      try Self.difference(golden, actual, step: step).change
    }
    let movies = try change(
      ["  in   D/Movies/1  7 bytes"], ["  in   D/Films/1  7 bytes"], step: "backup \"a\"")
    #expect(
      try movies
        == change(
          ["  in   L/Movies/2  8 bytes"], ["  in   L/Films/2  8 bytes"], step: "backup \"b\""))
    #expect(
      try movies
        != change(["  in   D/Movies/1  7 bytes"], ["  in   D/X/1  7 bytes"], step: "backup \"a\""))
    let added = try change(
      ["  in   a  1 byte"], ["  in   a  1 byte", "  in   new  1 byte"], step: "backup \"a\"")
    #expect(
      try added
        == change(
          ["  in   b  1 byte", "  in   c  1 byte"],
          ["  in   b  1 byte", "  in   c  1 byte", "  in   new  1 byte"], step: "restore"))
    #expect(
      try added
        != change(
          ["  in   a  1 byte", "  in   new  1 byte"], ["  in   a  1 byte"], step: "backup \"a\""))
    #expect(added != movies)
    // An item that moved to another backup makes the change a different one.
    let moved = try #require(
      LineDifference(
        golden: "backup a\n  in   s  1 byte\nbackup b\n  in   x  1 byte\n",
        actual: "backup a\nbackup b\n  in   s  1 byte\n  in   x  1 byte\n  in   new  1 byte\n"))
    #expect(moved.change != added)
  }

  @Test func `golden files in which only amounts of headings differ have different changes`() throws
  {
    func change(_ formerCount: Int, _ count: Int) throws -> GoldenChange {
      let texts = [formerCount, count].map {
        "# golden 2: a\nbackup \"b\": \($0) files\n  in   x  1 byte\n"
      }
      return try #require(LineDifference(golden: texts[0], actual: texts[1])).change
    }
    #expect(try change(2, 3) == change(2, 3))
    #expect(try change(2, 3) != change(2, 4))
  }
}
