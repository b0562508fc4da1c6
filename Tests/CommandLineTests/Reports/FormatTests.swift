#if os(macOS) || os(Linux)
import BackupDiagnostics
import BackupReports
import BackupScenarios
import Foundation
import TestSupport
import Testing

@testable import BackupVerdicts
@testable import backup_testing

/// The formats of reports have unique names, and a report that cannot be written is an error.
@Suite struct FormatTests {
  private let failing = OutputFormat<SuiteReport>("failing") { _ throws(RunError) in
    throw RunError(.unwritable, "nothing can be written")
  }

  @Test func `a value that JSON cannot represent is an error`() throws {
    let json = OutputFormat<Double>.json { $0 }
    #expect(try json.text(0.5) == "0.5\n")
    let error = #expect(throws: RunError.self) { try json.text(.nan) }
    #expect(error?.description.hasPrefix("the report cannot be written as JSON: ") == true)
  }

  @Test func `a report that cannot be written ends the command`() {
    let error = #expect(throws: RunError.self) {
      try ReportOutput(format: failing, file: nil).write(SuiteReport())
    }
    #expect(error?.description == "nothing can be written")
  }

  @Test func `a report that cannot be written leaves no file`() throws {
    let folder = try TestFolder()
    #expect(throws: RunError.self) {
      try ReportOutput(format: failing, file: TextFile(path: folder.url("report.json").path))
        .write(SuiteReport())
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url("report.json").path))
  }

  @Test func `the default format is text`() throws {
    #expect(try SuiteReport.formats.format(named: nil).name == "text")
  }

  @Test func `each format has a unique name`() {
    for names in [SuiteReport.formats.map(\.name), Inspection.formats.map(\.name)] {
      #expect(Set(names).count == names.count)
    }
  }
}
#endif
