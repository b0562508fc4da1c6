import BackupDevice
import BackupDiagnostics
import BackupFileTree
import Foundation

/// What a comparison with a phone has shown, for those who keep the kit right: where, when, how
/// much agreed, and each item that did not. It has paths, and nothing of what files hold.
package struct FidelityRecord: Codable, Hashable, Sendable {
  /// An item in which prediction and backup differ.
  package struct Disagreement: Codable, Hashable, Sendable {
    package let path: String
    /// What the kit predicts: `in`, `out` with the reason's word, or `nothing`.
    package let predicted: String
    /// What the backup has: `in`, `out`, or the kind of item.
    package let seen: String
    package let evidence: String
  }

  package static let format = 1

  package let format: Int
  package let kit: String
  /// The version of iOS, as the phone says it.
  package let system: String
  package let build: String
  /// The version of iOS by whose rules was predicted.
  package let rules: String
  /// The day of the backup: `2026-01-31`.
  package let date: String
  package let agreeing: Int
  /// How many topmost items are out in both, by the reason's word.
  package let leftOut: [String: Int]
  package let disagreements: [Disagreement]

  package init(_ comparison: BackupComparison, of folder: BackupFolder, kit: String) {
    self.format = Self.format
    self.kit = kit
    self.system = folder.productVersion?.onOneLine ?? ""
    self.build = folder.build?.onOneLine ?? ""
    self.rules = comparison.profile.version.description
    self.date = folder.date.map(Self.day) ?? ""
    self.agreeing = comparison.agreeing
    self.leftOut = Dictionary(grouping: comparison.leftOut) { $0.reason?.word ?? "" }
      .mapValues(\.count)
    self.disagreements = comparison.differences.map {
      Disagreement($0, by: comparison.profile)
    }
  }

  /// The day of a moment, in seconds since 2001, at Greenwich.
  private static func day(_ date: Double) -> String {
    guard abs(date) < 1e11 else { return "" }
    return String(Date(timeIntervalSinceReferenceDate: date).ISO8601Format().prefix { $0 != "T" })
  }

  /// What stands before the reason for which an item is predicted out.
  static let outPrefix = "out: "
}

extension FidelityRecord.Disagreement {
  fileprivate init(_ difference: BackupComparison.Mismatch, by profile: SystemProfile) {
    self.path = difference.path.description
    let policy = profile.backupPolicy(for: SystemProfile.ContainerKind(of: difference.path))
    switch difference.kind {
    case .missing, .withoutContents:
      (self.predicted, self.seen) = ("in", "out")
      self.evidence = policy.roots.evidence.rawValue
    case .unexpected(let reason):
      (self.predicted, self.seen) = ("\(FidelityRecord.outPrefix)\(reason.word)", "in")
      self.evidence = profile.evidence(for: reason.word, at: difference.path)?.rawValue ?? ""
    case .unknown:
      (self.predicted, self.seen) = ("nothing", "in")
      self.evidence = policy.roots.evidence.rawValue
    case .unlike(let seen, let expected):
      (self.predicted, self.seen) = (expected.description, seen.description)
      self.evidence = policy.roots.evidence.rawValue
    }
  }
}

extension SystemProfile {
  /// How sure it is that items are left out for a reason; nil for what is no statement about iOS.
  func evidence(for reason: String, at path: ContainerPath) -> Evidence? {
    let policy = backupPolicy(for: ContainerKind(of: path))
    let place = path.pathInContainer
    func covers(_ entry: Sourced<ContainerPath>) -> Bool {
      place.map { entry.value.covers($0) } ?? false
    }
    switch reason {
    case "location": return policy.locations.first(where: covers)?.evidence
    case "system-managed": return policy.systemManaged.first(where: covers)?.evidence
    case "outside-roots": return policy.roots.evidence
    case "bundle": return bundleIsInContainer.evidence
    case "own-mark", "marked-directory": return honouredMarks.evidence
    case "save-remnant": return policy.remnants.evidence
    case "database-sibling": return policy.storesDatabasesWhole.evidence
    case "path-too-long": return policy.skippedPathLength.evidence
    default: return nil
    }
  }
}
