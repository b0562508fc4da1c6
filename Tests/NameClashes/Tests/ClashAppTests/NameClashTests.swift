import BackupTesting
import ClashApp
import Foundation
import Testing

/// A name without a module means a type of the app or of Swift Testing, and never one of the kit.
@Suite struct NameClashTests {
  private let race: Event

  /// Creates a race with two runs. Only the first run is long enough.
  init() {
    let runs: [Record] = [
      Record(source: Source.watch, steps: [Step(length: 400), Step(length: 600)]),
      Record(source: Source.word, steps: [Step(length: 300)]),
    ]
    race = Event(
      variant: Variant.hilly, requirement: Requirement(length: 1000), records: runs)
  }

  @Test func `Event, Record, Step, Source, Variant and Requirement are the app's`() {
    let source: Source? = race.admitted.first?.source
    let steps: [Step] = race.admitted.flatMap { (record: Record) in record.steps }
    let variant: Variant = race.variant
    let requirement: Requirement = race.requirement
    #expect(source == .watch)
    #expect(steps.map(\.length) == [400, 600])
    #expect(variant == .hilly)
    #expect(requirement.length == 1000)
  }

  @Test func `Finding, Severity, Diagnostic and Evidence are the app's`() throws {
    let slight = Finding(severity: Severity.slight, evidence: Evidence.pulse(110))
    let grave = Finding(severity: Severity.grave, evidence: Evidence.pulse(150))
    let diagnostic: Diagnostic = Diagnostic(findings: [grave, slight])
    let worst: Finding = try #require(diagnostic.worst)
    let severity: Severity = worst.severity
    let evidence: Evidence = worst.evidence
    #expect(severity == .grave)
    #expect(evidence == .pulse(150))
  }

  @Test func `Backup and Restore are the app's`() throws {
    let file = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let backup: Backup = Backup(events: [race])
    try backup.write(to: file)
    let restore: Restore = try Restore(from: file)
    #expect(restore.backup == backup)
  }

  @Test func `Expectation is Swift Testing's`() {
    let type: Expectation.Type = Testing.Expectation.self
    #expect(type == Expectation.self)
  }
}
