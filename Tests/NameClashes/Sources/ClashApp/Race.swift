/// A race, as an app for runners has it.
public struct Event: Codable, Hashable, Sendable {
  /// How hard the course is.
  public let variant: Variant
  /// What a runner must have done to take part.
  public let requirement: Requirement
  /// The runs in it.
  public let records: [Record]

  /// Makes a race.
  ///
  /// - Parameters:
  ///   - variant: How hard the course is.
  ///   - requirement: What a runner must have done to take part.
  ///   - records: The runs in it.
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

/// What a runner must have done to take part.
public struct Requirement: Codable, Hashable, Sendable {
  /// The length of a run in metres.
  public let length: Int

  /// Asks for a run.
  ///
  /// - Parameter length: The length of the run in metres.
  public init(length: Int) {
    self.length = length
  }
}

/// A run.
public struct Record: Codable, Hashable, Sendable {
  /// What measured it.
  public let source: Source
  /// Its parts, in order.
  public let steps: [Step]

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - source: What measured it.
  ///   - steps: Its parts, in order.
  public init(source: Source, steps: [Step]) {
    self.source = source
    self.steps = steps
  }

  /// The length in metres.
  public var length: Int { steps.map(\.length).reduce(0, +) }
}

/// What measured a run.
public enum Source: String, Codable, Hashable, Sendable {
  case watch
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
