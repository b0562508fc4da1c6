#if os(macOS) || os(Linux)
import BackupRules
import BackupVerdicts
import Testing

@testable import BackupScenarios

/// The templates of the scaling benchmark cover the whole kit. Each test names what is missing.
@Suite struct ScalingSeriesTests {
  @Test func `each series runs to its end`() async throws {
    let failures = try await SeriesTrial.all.compactMap(\.failure)
    #expect(failures.isEmpty)
  }

  @Test func `each series grows with n`() async throws {
    let constantTemplates = try await SeriesTrial.all.map(\.template).filter { template in
      let lines = [1_000, 2_000].map { template.scenario($0).split(separator: "\n").count }
      return lines[1] - lines[0] < 300
    }
    #expect(constantTemplates.map(\.name) == [])
  }

  @Test func `each kind of step is in a series`() async throws {
    let keywords = try await SeriesTrial.all.reduce(into: Set()) { $0.formUnion($1.keywords) }
    let missing = StepKeyword.allCases.filter { !keywords.contains($0) }
    #expect(missing.isEmpty, "no file in Tests/Benchmarks/Series has a step \(missing)")
  }

  @Test func `each rule finds something in a series`() async throws {
    let rules = try await SeriesTrial.all.reduce(into: Set()) { $0.formUnion($1.rules) }
    let names = RuleList.all.filter { $0.basis != .check }.map(\.name)
    let missing = names.filter { !rules.contains($0) }
    #expect(missing.isEmpty, "nothing in Tests/Benchmarks/Series breaks \(missing)")
  }

  @Test func `one series equals its golden file, and the others differ from it`()
    async throws
  {
    let verdicts = try await SeriesTrial.all.filter(\.template.isRecorded).map(\.result.verdict)
    #expect(verdicts.filter { $0 == .passed }.count == 1)
    #expect(verdicts.filter { $0 == .failed }.count == verdicts.count - 1)
    #expect(verdicts.count > 1)
  }

  @Test func `expected findings occur in one series, and are missing in another`() async throws {
    let expecting = try await SeriesTrial.all.filter { !$0.scenario.expectations.isEmpty }
    let missingShares = expecting.map { trial in
      trial.result.runs.flatMap(\.missing).count / trial.scenario.expectations.count
    }
    #expect(Set(missingShares) == [0, 1])
  }
}

/// The repetition of a template's lines.
@Suite struct SeriesTemplateTests {
  /// The lines that a template with one line creates for n = 4.
  private func lines(_ line: String, isRecording: Bool = false) throws -> [String] {
    try SeriesTemplate(name: "trial", text: line).scenario(4, isRecording: isRecording)
      .split(separator: "\n").map(String.init)
  }

  @Test func `a line with the running number is repeated n times`() throws {
    #expect(try lines("'{n}'") == ["'0'", "'1'", "'2'", "'3'"])
    #expect(try lines("{n+1} {n/2} {n%2}") == ["1 0 0", "2 0 1", "3 1 0", "4 1 1"])
    #expect(try lines("{ save: 'a' }") == ["{ save: 'a' }"])
  }

  @Test func `a comment says how often a line is repeated`() throws {
    #expect(try lines("'{n}', // n/2 times") == ["'0',", "'1',"])
    #expect(try lines("'{n}', // 3 times") == ["'0',", "'1',", "'2',"])
    #expect(try lines("'a', // 2 times") == ["'a',", "'a',"])
  }

  @Test func `a line can differ while the golden file is recorded`() throws {
    #expect(try lines("'{1|2} KB'") == ["'2 KB'"])
    #expect(try lines("'{1|2} KB'", isRecording: true) == ["'1 KB'"])
    #expect(try SeriesTemplate(name: "a", text: "{|}").isRecorded)
    #expect(try !SeriesTemplate(name: "a", text: "{ a: 1 }").isRecorded)
  }

  @Test func `comments at the top hold sizes and limits`() throws {
    let template = try SeriesTemplate(
      name: "trial", text: "// limit: 5 s, 200 MB\n// sizes: 10, 20\n// allocations: 90\n{}")
    #expect(template.sizes == [10, 20])
    #expect(template.limit?.seconds == 5)
    #expect(template.limit?.bytes == 200_000_000)
    #expect(template.mostAllocations == 90)
    for text in ["// limit: soon", "// sizes: 1, many", "// allocations: few"] {
      #expect(throws: SeriesMistake.self) { try SeriesTemplate(name: "trial", text: text) }
    }
  }
}
#endif
