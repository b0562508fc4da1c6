import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `mark-unavailable finds` {
  private let steps = ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }"]

  @Test(arguments: ["5.0", "5.0.1"])
  func `the resource value before iOS 5.1`(system: String) async throws {
    let findings = try await Trial.findings(steps + ["{ backup: 'b' }"], "system: '\(system)'")
    #expect(findings.map(\.line) == ["mark-unavailable error 2 Documents/a"])
    #expect(
      findings.first?.message == "iOS \(system) has no resourceValue to mark 'Documents/a' with")
    #expect(
      findings.first?.advice.contains(
        system == "5.0"
          ? "keep the data in Library/Caches on this system"
          : "set the attribute com.apple.MobileBackup there") == true)
    #expect(findings.first?.advice.contains("'on' names the versions") == true)
  }

  @Test func `nothing from 5.1 on, and nothing if the app handles the error`() async throws {
    #expect(try await Trial.verdicts(steps, "system: '5.1'") == [])
    let caught = [steps[0], "{ exclude: 'Documents/a', throws: 'unavailable' }"]
    #expect(try await Trial.verdicts(caught, "system: '5.0'") == [])
  }

  @Test func `nothing if the app uses the mark of the iOS version`() async throws {
    let old = [steps[0], "{ exclude: 'Documents/a', using: 'extendedAttribute' }"]
    #expect(try await Trial.verdicts(old, "system: '5.0.1'") == [])
  }
}
