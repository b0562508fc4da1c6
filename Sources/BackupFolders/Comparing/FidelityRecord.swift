import BackupDevice
import BackupDiagnostics
import BackupFileTree
import Foundation

/// What a comparison with a phone has shown, for those who keep the kit right: where, when, how much
/// agreed, and each item that did not. It has paths, and nothing of what files hold.
package struct FidelityRecord: Codable, Hashable, Sendable {
  /// An item in which prediction and backup differ.
  package struct Disagreement: Codable, Hashable, Sendable {
    /// The item.
    package let path: String
    /// What the kit predicts: `in`, `out` with the reason's word, or `nothing`.
    package let predicted: String
    /// What the backup has: `in`, `out`, or the kind of item.
    package let seen: String
    /// How sure the kit is of what it predicts.
    package let evidence: String
  }

  /// The format of such records.
  package static let format = 1

  /// The format of this one.
  package let format: Int
  /// The version of the kit.
  package let kit: String
  /// The version of iOS, as the phone says it.
  package let system: String
  /// The build of iOS.
  package let build: String
  /// The version of iOS by whose rules was predicted.
  package let rules: String
  /// The day of the backup: `2026-01-31`.
  package let date: String
  /// How many items are in both.
  package let agreeing: Int
  /// How many topmost items are out in both, by the reason's word.
  package let leftOut: [String: Int]
  /// The items that differ.
  package let disagreements: [Disagreement]

  /// What a comparison with a folder has shown.
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

  /// The record as a text: keys in alphabetical order, two spaces for each level.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(self)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// The day of a moment, in seconds since 2001, at Greenwich.
  private static func day(_ date: Double) -> String {
    guard abs(date) < 1e11 else { return "" }
    return String(Date(timeIntervalSinceReferenceDate: date).ISO8601Format().prefix { $0 != "T" })
  }
}

extension FidelityRecord.Disagreement {
  /// A difference, with how sure the profile is.
  fileprivate init(_ difference: BackupComparison.Difference, by profile: SystemProfile) {
    self.path = difference.path.description
    let policy = profile.backupPolicy(for: SystemProfile.ContainerKind(of: difference.path))
    switch difference.kind {
    case .missing, .withoutContents:
      (self.predicted, self.seen) = ("in", "out")
      self.evidence = policy.roots.evidence.rawValue
    case .unexpected(let reason):
      (self.predicted, self.seen) = ("out: \(reason.word)", "in")
      self.evidence = profile.evidence(for: reason, policy)?.rawValue ?? ""
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
  fileprivate func evidence(
    for reason: BackupSet.LeftOutReason, _ policy: BackupPolicy
  ) -> Evidence? {
    switch reason {
    case .location(let path):
      policy.locations.first { $0.value == path.pathInContainer }?.evidence
    case .systemManaged(let path):
      policy.systemManaged.first { $0.value == path.pathInContainer }?.evidence
    case .outsideRoots: policy.roots.evidence
    case .bundle: bundleIsInContainer.evidence
    case .ownMark, .markedDirectory: honouredMarks.evidence
    case .saveRemnant: policy.remnants.evidence
    case .databaseSibling: policy.storesDatabasesWhole.evidence
    case .pathTooLong: policy.skippedPathLength.evidence
    case .specialFile, .unreadable, .switchedOff: nil
    @unknown default: nil
    }
  }
}
