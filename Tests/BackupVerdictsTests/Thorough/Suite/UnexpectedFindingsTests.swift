import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `Findings that occurred instead of an expected one` {
  /// Returns steps that each set a mark on a path of no item.
  private func marks(on names: some Sequence<String>) -> [String] {
    names.map { "{ exclude: '\($0)' }" }
  }

  /// Returns the details of the only expected finding that did not occur.
  private func details(_ steps: [String], _ other: String) async throws -> [String] {
    let result = try await Trial.result(try Trial.scenario(steps, other))
    let missing = result.problems.filter {
      if case .missingFinding = $0.kind { true } else { false }
    }
    #expect(missing.count == 1)
    return missing.flatMap(\.details)
  }

  @Test func `are all listed in their order if they are few`() async throws {
    let steps = marks(on: ["tmp/a", "tmp/b"]) + ["{ createDirectory: 'Library/M' }"]
    let details = try await details(steps, "expect: [{ rule: 'directory-name', path: 'tmp/b' }]")
    #expect(
      details == [
        "occurred instead: exists-before-set of severity 'error' at step 1 on 'tmp/a'",
        "occurred instead: exists-before-set of severity 'error' at step 2 on 'tmp/b'",
        "occurred instead: directory-name of severity 'advice' at step 3 on 'Library/M'",
      ])
  }

  @Test func `are only the three nearest if they are many, and the others are counted`()
    async throws
  {
    let steps =
      marks(on: ["tmp/a", "tmp/b"])
      + ["{ createDirectory: 'Library/M' }", "{ createDirectory: 'Library/N' }"]
      + marks(on: ["Library/N/x"])
    let details = try await details(
      steps, "expect: [{ rule: 'directory-name', severity: 'error', path: 'Library/N' }]")
    #expect(
      details == [
        "occurred instead: directory-name of severity 'advice' at step 4 on 'Library/N'",
        "occurred instead: directory-name of severity 'advice' at step 3 on 'Library/M'",
        "occurred instead: exists-before-set of severity 'error' at step 1 on 'tmp/a'",
        "2 more findings occurred instead",
      ])
  }

  @Test func `begin with a finding on the same item`() async throws {
    let steps = marks(on: ["tmp/a", "tmp/b", "tmp/c", "tmp/d"])
    let details = try await details(
      steps, "expect: [{ rule: 'exists-before-use', path: 'tmp/d' }]")
    #expect(
      details == [
        "occurred instead: exists-before-set of severity 'error' at step 4 on 'tmp/d'",
        "occurred instead: exists-before-set of severity 'error' at step 1 on 'tmp/a'",
        "occurred instead: exists-before-set of severity 'error' at step 2 on 'tmp/b'",
        "1 more finding occurred instead",
      ])
  }

  @Test func `are those of the same runs`() async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }"]
    let details = try await details(
      steps, "system: ['5.0', '9'], expect: [{ rule: 'directory-name', system: '9' }]")
    #expect(details == [])
  }
}
