import BackupCollections
import BackupDiagnostics
import BackupScenarios

/// What is wrong in several scenarios for the same reason.
package struct Cause: Sendable {
  /// What is wrong, in a sentence.
  package let sentence: String
  /// What to do, or the lines that differ.
  package let details: [String]
  /// The ids of the scenarios, in the order of the report.
  package let scenarios: [String]
}

extension [ScenarioReport] {
  /// The causes of failures, those of the most scenarios first.
  package var causes: [Cause] {
    let failures = filter(\.hasFailed).flatMap { scenario in
      let problems = scenario.problems.filter(\.isFailure).compactMap { problem in
        problem.cause.map { (sentence: $0, details: problem.firstAdvice, id: scenario.id) }
      }
      let golden = scenario.goldenChanges.map { lines in
        (
          sentence: "the outcome differs from the golden file in "
            + "\(lines.count == 1 ? "this line" : "these \(lines.count) lines")",
          details: lines.prefix(Self.mostLines).map(\.self), id: scenario.id
        )
      }
      return problems + [golden].compactMap(\.self)
    }
    return failures.grouped { [$0.sentence] + $0.details }.map { alike in
      Cause(
        sentence: alike[0].sentence, details: alike[0].details,
        scenarios: alike.map(\.id).grouped { $0 }.map { $0[0] })
    }.sorted { $0.scenarios.count > $1.scenarios.count }
  }

  private static var mostLines: Int { 6 }

  /// The causes that several scenarios share, in lines that end in LF; empty if none is shared.
  package var digest: String {
    let shared = causes.filter { $0.scenarios.count > 1 }
    guard !shared.isEmpty else { return "" }
    let affected = Set(shared.flatMap(\.scenarios)).count
    let title = "\(shared.count.counted("cause")) in \(affected.counted("scenario")):\n"
    return title + shared.map(\.text).joined()
  }
}

extension Cause {
  private static let mostNames = 3

  fileprivate var text: String {
    let names = scenarios.prefix(Self.mostNames).joined(separator: ", ")
    let rest = scenarios.count - Self.mostNames
    return "  \(sentence.onOneLine)\n" + details.map { "    \($0.onOneLine)\n" }.joined()
      + "    in \(scenarios.count.counted("scenario")): \(names.onOneLine)"
      + (rest > 0 ? " and \(rest) more\n" : "\n")
  }
}

extension Scenario.Problem {
  /// What problems with the same cause have in common; nil for a problem of a golden file, whose
  /// lines are compared.
  package var cause: String? {
    switch kind {
    case .finding(let rule):
      let subject = [actor, path.map { "'\($0.pattern)'" }].compactMap(\.self)
      return "\(rule): \(subject.joined(separator: " "))"
    case .golden, .recorded: return nil
    default: return message
    }
  }

  /// The first line of advice.
  fileprivate var firstAdvice: [String] {
    details.filter { $0.hasPrefix("do: ") }.prefix(1).map(\.self)
  }
}

extension String {
  /// `Movies/*.mp4` for `Movies/1.mp4`: the folder, and the extension of the name.
  fileprivate var pattern: String {
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return self
    }
    return (parts.dropLast().map(String.init) + ["*\(name[dot...])"]).joined(separator: "/")
  }
}
