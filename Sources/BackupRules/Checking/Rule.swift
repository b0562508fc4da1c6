package import BackupDevice
import BackupDiagnostics
package import BackupScenarios

/// What a run is checked for; a new one is a file in `Rules` and a word in ``RuleList/all``.
///
/// A rule reads what happened and returns findings. One root cause gives one finding: a rule says
/// what its findings account for, and passes over what an earlier rule accounted for.
///
/// A rule is whole with its row and its section in the article Rules, its name in the schema of
/// scenario files, scenarios that keep it and that break it, and mutants of it that they catch.
/// Tests name what is missing.
package protocol Rule: Sendable {
  /// The name in reports and expectations: lower case, words joined by `-`.
  var name: String { get }

  /// How bad its findings are, unless one says otherwise.
  var severity: Scenario.Severity { get }

  /// What it finds, in one sentence that begins in lower case and has no period.
  var summary: String { get }

  /// What has to be known for its findings to be true; by default how the container came to be.
  var basis: RuleBasis { get }

  /// What it is about; each of its sources speaks of one of them.
  var subjects: [SystemProfile.Subject] { get }

  /// Where it comes from, the most important source first.
  var sources: [SystemProfile.Source] { get }

  /// Looks through a whole run and adds what breaks this rule.
  ///
  /// - Parameters:
  ///   - history: The run, with what the app owed each time the system acted.
  ///   - findings: Those of the earlier rules, to which this one's are added.
  func check(_ history: RunHistory, _ findings: inout FindingList)
}

/// What has to be known to check a rule, beside the version of iOS.
package enum RuleBasis: Hashable, Sendable {
  /// How the container came to be, step by step.
  case story
  /// Nothing but the container.
  case container
  /// The app's bundle identifier.
  case identifier
  /// The classes of the app's files.
  case classes
  /// What a backup may hold.
  case budget
  /// What the app may keep on the device.
  case storage
}

extension Rule {
  var basis: RuleBasis { .story }

  /// The end of a message that says by which error of the app's own code a finding was noticed;
  /// empty where there is none.
  static func quoting(_ wrapper: String?) -> String {
    wrapper.map { "; the app's code threw \(EscapedText.escape($0.cut(to: 200)))" } ?? ""
  }
}
