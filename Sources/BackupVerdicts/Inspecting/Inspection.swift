import BackupContainer
package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupRules
package import BackupScenarios

/// What a backup would hold of a container that was found as it is, and what of that breaks a rule.
package struct Inspection: Sendable {
  /// What is known of the container beside what is in it.
  package struct Context: Sendable {
    package var name: String
    /// The app and the device.
    package var configuration: SessionConfiguration
    /// The app's bundle identifier; nil if it was not given.
    package var identifier: String?
    /// What else a reader must know, in sentences.
    package var notes: [String] = []

    /// A container on a system, of whose app nothing is known yet.
    package init(named name: String, on profile: SystemProfile) {
      self.name = name
      self.configuration = SessionConfiguration(profile: profile)
    }
  }

  /// What is known of the container beside what is in it.
  package let context: Context
  package let set: BackupSet
  package let tree: FileTree
  package let tally: InspectionTally
  /// What broke a rule, alike findings of a directory's files as one.
  package let findings: [Scenario.Finding]
  /// The rules that could not be checked, each with what is not known for it.
  package let unchecked: [(rule: String, basis: RuleBasis)]
  /// Says why the backup holds an item or not.
  private let explanation: ItemExplanation?

  /// Inspects a container, which takes one backup of it and the rules that need no more.
  package init(of tree: FileTree, _ context: Context) {
    let transcript = Transcript(finding: tree, context.configuration, named: context.name)
    let known = context.known
    let found = RuleList.findings(
      in: transcript, by: RuleList.all.filter { known.contains($0.basis) })
    let set = transcript.entries.lazy.compactMap(\.event.backup).first?.contents
    self.context = context
    self.tree = tree
    self.set = set ?? BackupSet(decisions: [])
    self.tally = InspectionTally(of: self.set, context.configuration.files)
    self.findings = found.isEmpty ? [] : GroupedFindings(found, in: transcript).shown
    self.unchecked = RuleList.all.filter { !known.contains($0.basis) }.map { ($0.name, $0.basis) }
    self.explanation = ItemExplanation.byStep(in: transcript)[.found]
  }

  /// Why an item is in the backup or not, without saying whether.
  package func cause(of decision: BackupSet.Decision) -> String {
    decision.reason?.place ?? explanation?.cause(of: decision) ?? ""
  }

  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// `iOS 26`.
  package var system: String { "iOS \(context.configuration.profile.version)" }

  /// What a backup may hold and does, then what the app may keep and does, limit by limit.
  package var budgetUses: [BudgetUse] {
    let configuration = context.configuration
    return BudgetUse.all(of: configuration.budget, named: "budget", in: set)
      + BudgetUse.all(of: configuration.storage, named: "storage", in: tree)
  }

  /// Sentences on what else a reader must know: on the container, then on what was not checked.
  package var notes: [String] { context.notes + uncheckedNotes }

  /// What was not checked, and what it would take.
  private var uncheckedNotes: [String] {
    let reasons: [(RuleBasis, String)] = [
      (.classes, "use --files to name a scenario whose 'files' has their classes"),
      (.budget, "use --files to name a scenario that has a 'budget'"),
      (.storage, "use --files to name a scenario that has a 'storage'"),
      (.identifier, "use --files to name a scenario whose 'app' has the bundle identifier"),
      (.run, "only a run can check these rules, because they are about the app's steps"),
    ]
    return reasons.compactMap { basis, advice in
      let names = unchecked.filter { $0.basis == basis }.map(\.rule)
      return names.isEmpty ? nil : "not checked: \(names.joinedInWords); \(advice)"
    }
  }
}

extension Inspection.Context {
  fileprivate var known: Set<RuleBasis> {
    var known: Set<RuleBasis> = [.container]
    if identifier != nil { known.insert(.identifier) }
    if configuration.files != nil { known.insert(.classes) }
    if configuration.budget != nil { known.insert(.budget) }
    if configuration.storage != nil { known.insert(.storage) }
    return known
  }
}

extension Inspection.Context {
  /// Takes what a scenario says of its app's files: their classes, budgets, the app.
  package mutating func take(_ scenario: Scenario) {
    configuration.app = scenario.app
    configuration.files = scenario.files
    configuration.budget = scenario.budget
    configuration.storage = scenario.storage
    identifier = scenario.app.bundleIdentifier
  }
}

extension BackupSet.LeftOutReason {
  /// Why an item is left out by its place, with the place; nil where something else decides.
  fileprivate var place: String? {
    switch self {
    case .location(let place): "\(place) is never backed up"
    case .systemManaged(let place): "\(place) belongs to the system"
    case .outsideRoots(let place): "\(place) is outside the folders that are backed up"
    case .bundle(let place): "\(place) is the app's bundle"
    default: nil
    }
  }
}
