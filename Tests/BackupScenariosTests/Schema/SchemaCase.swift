import BackupDevice
import Testing

/// A short scenario and whether schema and decoder have to accept it.
struct SchemaCase: Sendable, CustomTestStringConvertible {
  /// The JSON5 text.
  let text: String
  /// Whether it is a scenario.
  let isAccepted: Bool

  /// The text, and what is expected of it.
  var testDescription: String { (isAccepted ? "accepted: " : "refused: ") + text.prefix(200) }

  /// Whole scenarios.
  static func whole(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { $0 }
  }

  /// Keys beside a title and no steps.
  static func keys(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { "{ title: 'T', steps: [], \($0) }" }
  }

  /// One step of a scenario.
  static func steps(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { "{ title: 'T', steps: [\($0)] }" }
  }

  /// One step at every launch.
  static func launch(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) { "{ title: 'T', steps: [], launch: [\($0)] }" }
  }

  /// One expectation of a scenario with two steps and one launch step, under two systems.
  static func expect(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    cases(accepted, refused) {
      "{ title: 'T', steps: [{ relaunch: {} }, { backup: 'b' }], launch: [{ perform: 'p' }], "
        + "system: ['5', '18'], backups: ['iCloud', 'local'], expect: [\($0)] }"
    }
  }

  /// A value in every place that a path or pattern has.
  static func paths(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    let places = [
      "steps: [{ save: #, size: 1 }]", "steps: [{ move: 'a', to: # }]",
      "steps: [{ updateApp: '2', keeping: [#] }]", "steps: [{ expectFiles: { absent: [#] } }]",
      "steps: [], files: { #: 'cached' }",
      "steps: [], expect: [{ rule: 'backup-budget', path: # }]",
    ]
    return places.flatMap { place in
      cases(accepted, refused) { "{ title: 'T', \(place.replacing("#", with: $0)) }" }
    }
  }

  /// A value in every place that a size has.
  static func sizes(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    let places = [
      "steps: [{ save: 'a', size: # }]", "steps: [], budget: #",
      "steps: [{ read: 'a', ifMissing: 'recreate', size: # }]",
    ]
    return places.flatMap { place in
      cases(accepted, refused) { "{ title: 'T', \(place.replacing("#", with: $0)) }" }
    }
  }

  /// All versions of iOS, as a list holds them.
  private static let everySystem =
    SystemProfile.all.map { "'\($0.version)'" }.joined(separator: ", ")

  /// A value in every place that a version of iOS has.
  static func versions(accepted: [String] = [], refused: [String] = []) -> [SchemaCase] {
    let places = [
      "steps: [], system: #", "steps: [], system: ['5.0.1', #]", "steps: [{ updateSystem: # }]",
      "steps: [], system: [\(everySystem)], expect: [{ rule: 'backup-budget', system: # }]",
    ]
    return places.flatMap { place in
      cases(accepted, refused) { "{ title: 'T', \(place.replacing("#", with: $0)) }" }
    }
  }

  /// Cases from fragments.
  private static func cases(
    _ accepted: [String], _ refused: [String], _ text: (String) -> String
  ) -> [SchemaCase] {
    accepted.map { SchemaCase(text: text($0), isAccepted: true) }
      + refused.map { SchemaCase(text: text($0), isAccepted: false) }
  }
}
