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
    _ golden: [String], _ actual: [String], step: String = "step 2 backup \"b\""
  ) throws -> LineDifference {
    let texts = [golden, actual].map { lines in
      let title = "\(step): \(lines.count.counted("file"))"
      return (["# golden 1: a", title] + lines).map { "\($0)\n" }.joined()
    }
    return try #require(LineDifference(golden: texts[0], actual: texts[1]))
  }

  @Test(
    arguments: [
      (["+ Movies/1.mp4  7"], ["+ Films/1.mp4  7"], ["renamed: Movies/1.mp4 → Films/1.mp4"], 0),
      (
        ["+ D/Movies/1.mp4  7", "+ D/Movies/2.mp4  7", "- D/Movies/3.mp4  own mark"],
        ["+ D/Films/1.mp4  7", "+ D/Films/2.mp4  7", "- D/Films/3.mp4  own mark"],
        ["renamed: Movies/ → Films/ (3 files)"], 0
      ),
      (["+ D/a  7"], ["+ D/b  7"], ["renamed: D/a → D/b"], 0),
      (["+ D/a  7"], ["+ D/b  8"], [], 2),
      (["+ D/a  7"], ["- D/b  own mark"], [], 2),
      (["- D/a  own mark"], ["- L/b  own mark"], [], 2),
      (["+ D/a  7", "+ D/b  7"], ["+ D/c  7", "+ D/d  7"], [], 4),
      (
        ["+ D/a  7", "+ D/b  7"], ["+ D/New/a  7", "+ D/New/b  7"],
        ["renamed: D/ → D/New/ (2 files)"], 0
      ),
      (
        ["+ A/1/x  7", "+ A/2/x  7", "+ A/2/y  7"], ["+ B/1/x  7", "+ B/2/x  7", "+ B/2/y  7"],
        ["renamed: A/ → B/ (3 files)"], 0
      ),
      (["+ a  7"], ["+ D/a  7"], ["renamed: a → D/a"], 0),
    ])
  func `are found by all that their lines say but the path`(
    golden: [String], actual: [String], lines: [String], rest: Int
  ) throws {
    let renamed = RenamedItems(in: try Self.difference(golden, actual))
    #expect(renamed.lines == lines)
    #expect(renamed.rest.count == rest)
  }

  @Test func `make changes of several files equal, as equal lines do`() throws {
    func change(_ golden: [String], _ actual: [String], step: String) throws -> GoldenChange {
      try Self.difference(golden, actual, step: step).change
    }
    let movies = try change(["+ D/Movies/1  7"], ["+ D/Films/1  7"], step: "step 1 backup \"a\"")
    #expect(
      try movies == change(["+ L/Movies/2  8"], ["+ L/Films/2  8"], step: "step 2 backup \"b\""))
    #expect(try movies != change(["+ D/Movies/1  7"], ["+ D/X/1  7"], step: "step 1 backup \"a\""))
    let added = try change(["+ a  1"], ["+ a  1", "+ new  1"], step: "step 1 backup \"a\"")
    #expect(
      try added
        == change(["+ b  1", "+ c  1"], ["+ b  1", "+ c  1", "+ new  1"], step: "step 3 restore"))
    #expect(try added != change(["+ a  1", "+ new  1"], ["+ a  1"], step: "step 1 backup \"a\""))
    #expect(added != movies)
    // An item that is in another backup than before is a change of its own.
    let moved = try #require(
      LineDifference(
        golden: "step 1 a\n+ s  1\nstep 2 b\n+ x  1\n",
        actual: "step 1 a\nstep 2 b\n+ s  1\n+ x  1\n+ new  1\n"))
    #expect(moved.change != added)
  }
}
