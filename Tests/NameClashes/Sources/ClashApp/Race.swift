/// A race in an app for runners.
public struct Event: Codable, Hashable, Sendable {
  /// How hard the course is.
  public let variant: Variant
  /// The condition for taking part.
  public let requirement: Requirement
  /// The runs of the race.
  public let records: [Record]

  /// Makes a race.
  ///
  /// - Parameters:
  ///   - variant: How hard the course is.
  ///   - requirement: The condition for taking part.
  ///   - records: The runs of the race.
  public init(variant: Variant, requirement: Requirement, records: [Record]) {
    self.variant = variant
    self.requirement = requirement
    self.records = records
  }

  /// The runs that meet the requirement.
  public var admitted: [Record] { records.filter { $0.length >= requirement.length } }
}

/// How hard a course is.
public enum Variant: String, Codable, Hashable, Sendable {
  case flat
  case hilly
}

/// A condition for taking part in a race.
public struct Requirement: Codable, Hashable, Sendable {
  /// The least length of a run, in metres.
  public let length: Int

  /// Makes a condition.
  ///
  /// - Parameter length: The least length of a run, in metres.
  public init(length: Int) {
    self.length = length
  }
}

/// A run.
public struct Record: Codable, Hashable, Sendable {
  /// Who or what measured the run.
  public let source: Source
  /// The parts of the run, in order.
  public let steps: [Step]

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - source: Who or what measured the run.
  ///   - steps: The parts of the run, in order.
  public init(source: Source, steps: [Step]) {
    self.source = source
    self.steps = steps
  }

  /// The length in metres.
  public var length: Int { steps.map(\.length).reduce(0, +) }
}

/// Who or what measured a run.
public enum Source: String, Codable, Hashable, Sendable {
  case watch
  /// The runner reported the length.
  case word
}

/// A part of a run.
public struct Step: Codable, Hashable, Sendable {
  /// The length in metres.
  public let length: Int

  /// Makes a part.
  ///
  /// - Parameter length: The length in metres.
  public init(length: Int) {
    self.length = length
  }
}
