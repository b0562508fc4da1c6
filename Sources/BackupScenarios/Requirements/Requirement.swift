package import BackupDevice
import BackupDiagnostics

extension Scenario {
  /// One thing that holds for an app's files on iOS, with where it comes from; a row of the
  /// catalogue.
  package struct Requirement: Hashable, Sendable, Identifiable {
    /// Its stable name, area first: `mark.reapply-on-save`. Scenarios cite it by this.
    package let id: String
    /// What holds, in the kit's own words.
    package let statement: String
    /// What it is about, and so what its sources have to speak of.
    package let subject: SystemProfile.Subject
    /// How sure it is.
    package let evidence: SystemProfile.Evidence
    /// Where it comes from; empty only for what is unverified.
    package let sources: [SystemProfile.Source]
    /// How an app can break it, or why it cannot.
    package let breach: Breach

    /// How an app can break a requirement, by what it does or by what it takes for granted.
    package enum Breach: Hashable, Sendable {
      /// A scenario can, and says so by expecting a finding at least as bad as this.
      case finding(atLeast: Scenario.Severity)
      /// No app can.
      case impossible(because: String)
    }

    /// A requirement; unless said otherwise, a scenario with an error or a warning breaks it.
    init(
      _ id: String, _ statement: String, about subject: SystemProfile.Subject,
      evidence: SystemProfile.Evidence, from sources: [SystemProfile.Source],
      breach: Breach = .finding(atLeast: .warning)
    ) {
      self.id = id
      self.statement = statement
      self.subject = subject
      self.evidence = evidence
      self.sources = sources
      self.breach = breach
    }
  }
}

extension Scenario.Requirement.Breach {
  /// Why no app breaks it; nil where one can.
  package var reasonForNone: String? {
    switch self {
    case .finding: nil
    case .impossible(let reason): reason
    }
  }

  /// Whether an expected finding of this severity says that the requirement is broken.
  package func counts(_ severity: Scenario.Severity) -> Bool {
    switch self {
    case .finding(atLeast: .advice): true
    case .finding(atLeast: .warning): severity != .advice
    case .finding(atLeast: .error): severity == .error
    case .impossible: false
    }
  }
}

extension RequirementCatalogue {
  /// The requirement of an id; nil where there is none.
  ///
  /// - Parameter id: The stable name, area first: `mark.reapply-on-save`.
  /// - Returns: The catalogue's entry, or nil.
  package static func requirement(_ id: String) -> Scenario.Requirement? { byID[id] }

  /// The requirements by id.
  private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  /// Why an id cannot be cited, with the nearest that can; nil where it can.
  static func objection(to id: String) -> String? {
    guard requirement(id) == nil else { return nil }
    let nearest = NearestWord.to(id, in: byID.keys).map { "; did you mean '\($0)'?" } ?? ""
    return "there is no requirement '\(EscapedText.escape(String(id.prefix(60))))'\(nearest) "
      + "('backup-testing requirements' lists them)"
  }
}
