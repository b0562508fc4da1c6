import BackupDiagnostics
import Testing
import TrialSupport

@testable import BackupScenarios

extension `A scenario file` {
  @Test func `may be as large as the limit and no larger`() {
    let start = "{ title: 'T', steps: [{ backup: 'a' }] }"
    let largestFile = ScenarioReader.maximumFileSize
    let padded = start + String(repeating: " ", count: largestFile - start.utf8.count)
    #expect(Trial.mistakes(in: padded) == [])
    #expect(
      Trial.mistakes(in: padded + " ") == [
        "1:1: the file is larger than \(largestFile.formattedSize), the most that the kit reads; split the "
          + "scenario"
      ])
  }

  @Test func `may have as many steps as the limit and no more`() {
    let step = "{ remove: 'tmp/a' },"
    let maximumSteps = String(repeating: step, count: ScenarioReader.maximumStepCount)
    #expect(Trial.mistakes(in: "{ title: 'T', steps: [\(maximumSteps)] }") == [])
    #expect(
      Trial.mistakes(in: "{ title: 'T', steps: [\(maximumSteps)\(step)] }")
        == ["1:23: there are 10001 steps; at most 10000 are allowed"])
  }

  @Test func `with thousands of keys is read`() {
    let files = (0..<10_000).map { "'tmp/\($0)': 'temporary'," }.joined()
    #expect(Trial.mistakes(in: "{ title: 'T', steps: [], files: { \(files) } }") == [])
  }
}
