import BackupCollections
package import BackupDevice
import BackupDiagnostics
package import BackupScenarios

/// Where data of a class belongs, how it is marked, and what the app checks and deletes itself: by
/// the oldest system that the app supports.
package struct ClassAdvice: Hashable, Sendable {
  package let dataClass: DataClass
  /// The oldest systems of an app for which the advice is the same, oldest first.
  package let oldestSystems: [SystemVersion]
  /// What to do, in the order of the topics.
  package let recommendations: [Recommendation]

  /// One thing to do, and who says so.
  package struct Recommendation: Hashable, Sendable {
    package let topic: Topic
    /// What to do, in a sentence without a capital and a period.
    package let text: String
    /// Where it comes from, the most important source first.
    package let sources: [SystemProfile.Source]
  }

  package enum Topic: String, CaseIterable, Hashable, Sendable {
    /// Where the data is kept.
    case place
    /// How it is kept out of backups, or why it is not.
    case mark
    /// What may be missing when it is used.
    case check
    /// When the app deletes it.
    case delete
  }

  /// The advice on classes for every oldest system, in the order of the classes.
  package static func all(on classes: [DataClass] = DataClass.allCases) -> [ClassAdvice] {
    classes.flatMap { dataClass in
      var all: [ClassAdvice] = []
      for profile in SystemProfile.all {
        let recommendations = recommendations(on: dataClass, from: profile.version)
        if let last = all.last, last.recommendations == recommendations {
          all[all.count - 1] = last.adding(profile.version)
        } else {
          all.append(
            ClassAdvice(
              dataClass: dataClass, oldestSystems: [profile.version],
              recommendations: recommendations))
        }
      }
      return all
    }
  }

  /// The same advice for one oldest system more.
  private func adding(_ version: SystemVersion) -> ClassAdvice {
    ClassAdvice(
      dataClass: dataClass, oldestSystems: oldestSystems + [version],
      recommendations: recommendations)
  }

  /// The oldest systems in words: `any`, `5.0`, `5.1 and later`.
  var systemsInWords: String {
    guard let first = oldestSystems.first, let last = oldestSystems.last else { return "" }
    let isNewest = last == SystemProfile.all.last?.version
    if oldestSystems.count == SystemProfile.all.count { return "any" }
    if oldestSystems.count == 1 { return "\(first)" }
    return isNewest ? "\(first) and later" : "\(first) to \(last)"
  }
}

extension ClassAdvice {
  /// What differs between the systems from one on, in words: `A under iOS 5.0, B from 5.0.1 on`;
  /// the words alone if they are the same everywhere.
  static func inWords(
    from oldest: SystemVersion, _ words: (SystemProfile) -> String
  ) -> String {
    let profiles = SystemProfile.all.filter { $0.version >= oldest }
    let spans = profiles.grouped(by: words).map { same in
      (words: same.first.map(words) ?? "", versions: same.map(\.version.description))
    }
    guard let newest = spans.last, let first = newest.versions.first, spans.count > 1 else {
      return spans.first?.words ?? ""
    }
    let earlier = spans.dropLast().map { "\($0.words) under iOS \($0.versions.joinedInWords)" }
    return (earlier + ["\(newest.words) from \(first) on"]).joined(separator: ", ")
  }
}
