import BackupCollections
import BackupDiagnostics
import BackupRules
import BackupScenarios
import Foundation

/// A common cause of problems in one or more scenarios.
package struct Cause: Sendable {
  /// The broken rule; nil for other problems.
  package let rule: String?
  /// The cause in words, such as the rule, the app's action and a pattern of the files.
  package let sentence: String
  /// The advice, or the lines that differ from golden files.
  fileprivate let advice: [String]
  /// The message of the problem in the first scenario; nil if the sentence already says it.
  package let example: String?
  /// The scenarios, in the order of the report.
  package fileprivate(set) var scenarios: [(id: String, file: String)]

  private static let maximumAdviceLineCount = 6

  /// The first lines of the advice.
  package var shownAdvice: ArraySlice<String> { advice.prefix(Self.maximumAdviceLineCount) }

  /// The example, and the first lines of the advice.
  package var details: [String] { [example].compactMap(\.self) + shownAdvice }

  fileprivate init(_ problem: Scenario.Problem, in scenario: ScenarioReport) {
    let changedPatterns = problem.kind == .golden ? scenario.goldenPatterns : []
    if problem.kind == .golden, problem.message.hasSuffix(" is missing") {
      (sentence, advice) = ("there is no golden file", [])
    } else if changedPatterns.isEmpty {
      sentence = problem.causeSentence
      advice = Array(problem.details.filter { $0.hasPrefix("do: ") }.prefix(1))
    } else {
      (sentence, advice) = ("the outcome (+) differs from the golden file (-)", changedPatterns)
    }
    self.rule = problem.kind.rule
    self.example = problem.kind.rule == nil ? nil : problem.message
    self.scenarios = [(scenario.id, scenario.file)]
  }

  private static let maximumNameCount = 3

  fileprivate var text: String {
    let names = scenarios.prefix(Self.maximumNameCount).map(\.id).joined(separator: ", ")
    let otherCount = scenarios.count - Self.maximumNameCount
    return "  \(sentence.onOneLine)\n" + details.map { "    \($0.onOneLine)\n" }.joined()
      + "    in \(scenarios.count.counted("scenario")): \(names.onOneLine)"
      + (otherCount > 0 ? " and \(otherCount) more\n" : "\n")
  }
}

extension [ScenarioReport] {
  /// The causes of failures. A cause with more scenarios comes before a cause with fewer.
  package var causes: [Cause] {
    let allCauses = filter(\.hasFailed).flatMap { scenario in
      scenario.problems.filter(\.isFailure).map { Cause($0, in: scenario) }
    }
    return allCauses.grouped { [$0.sentence] + $0.advice }.map { group in
      var cause = group[0]
      cause.scenarios = group.flatMap(\.scenarios).grouped(by: \.file).map { $0[0] }
      return cause
    }.sorted { $0.scenarios.count > $1.scenarios.count }
  }

  /// The causes that several scenarios share, in lines that end in LF; empty if there are none.
  package var sharedCauses: String {
    let commonCauses = causes.filter { $0.scenarios.count > 1 }
    guard !commonCauses.isEmpty else { return "" }
    let affectedCount = Set(commonCauses.flatMap(\.scenarios).map(\.file)).count
    let title =
      "\(commonCauses.count.counted("shared cause")) in \(affectedCount.counted("scenario")):\n"
    return title + commonCauses.map(\.text).joined()
  }
}

extension Scenario.Problem {
  /// The cause in words. Problems with the same cause have the same words.
  package var causeSentence: String {
    switch kind {
    // Steps with the same name may fail for different reasons, which only the messages give.
    case .finding(Scenario.Finding.stepFailureRule): return message
    case .finding(let rule):
      let subject = [actor, path.map { "'\($0.pattern)'" }].compactMap(\.self)
      return "\(rule): \(subject.joined(separator: " "))"
    default: return message
    }
  }
}

extension ScenarioReport {
  /// The lines that differ from the golden file, without sizes, and with patterns instead of paths.
  fileprivate var goldenPatterns: [String] {
    (goldenChanges ?? []).compactMap { line -> String? in
      GoldenDocument.Content(line.dropFirst(2)).item.map { item in
        "\(line.prefix(2))\(item.presence.rawValue)  \(item.name.pattern)"
      }
    }.grouped { $0 }.map { $0[0] }
  }
}

extension String {
  /// The path with `*` instead of the name before the extension: `Movies/*.mp4` for `Movies/1.mp4`.
  fileprivate var pattern: String {
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return self
    }
    return (parts.dropLast().map(String.init) + ["*\(name[dot...])"]).joined(separator: "/")
  }
}
