public import BackupDiagnostics
public import BackupFileTree

/// What an app promises of a file: how it came to be and what it is needed for.
@nonexhaustive
public enum DataClass: String, CaseIterable, Hashable, Sendable {
  /// The user's own, which cannot be made again (`apple-guidelines-2011`).
  case critical
  /// Needed to run, and can be fetched or made again.
  case support
  /// Wanted without a network, and can be fetched again.
  case offline
  /// Can be made again, and only saves time.
  case cached
  /// Of no use after the task at hand.
  case temporary
  /// Must not leave the device: a password, a key, a token (`eidinger`).
  case secret
}

/// The classes of an app's files; the first pattern that matches decides.
public struct FilePromises: Hashable, Sendable {
  /// A pattern and the class of what it matches.
  public struct Promise: Hashable, Sendable {
    /// The files that are of the class.
    public let pattern: PathPattern
    /// How they came to be and what they are needed for.
    public let dataClass: DataClass
  }

  /// The promises, in the order of the file.
  public let promises: [Promise]
  /// Where each of them stands.
  package let places: [Place]
  /// Their patterns, by what decides the class of a path.
  private let patterns: PatternIndex

  /// The place of a promise.
  package enum Place: Hashable, Sendable {
    /// A scenario's file.
    case scenario(SourcePosition)
    /// The code of a test.
    case code
    /// A list that all scenarios and tests of an app have, by its name; with the position in a file.
    case shared(list: String, SourcePosition?)
  }

  /// Promises in the order they are written.
  ///
  /// - Parameter files: Patterns with the class of what they match.
  /// - Throws: `RunError` with the code `.invalidPath` for what is no pattern.
  public init(_ files: KeyValuePairs<String, DataClass>) throws(RunError) {
    try self.init(files, at: .code)
  }

  /// Promises of code, all of them at one place.
  package init(_ files: KeyValuePairs<String, DataClass>, at place: Place) throws(RunError) {
    var promises: [Promise] = []
    for (text, dataClass) in files {
      promises.append(Promise(pattern: try PathPattern(matching: text), dataClass: dataClass))
    }
    self.init(promises: promises, places: promises.map { _ in place })
  }

  /// Promises, with where each stands.
  init(promises: [Promise], places: [Place]) {
    self.promises = promises
    self.places = places
    self.patterns = PatternIndex(promises.map(\.pattern))
  }

  /// The class of an item, nil where no pattern names it.
  ///
  /// - Parameter path: Relative to the container.
  /// - Returns: The class that the first matching pattern gives.
  public func dataClass(of path: ContainerPath) -> DataClass? {
    patterns.firstIndex(matching: path).map { promises[$0].dataClass }
  }

  /// The promises of some indices only; nil for none.
  package func keeping(_ indices: [Int]) -> FilePromises? {
    indices.isEmpty
      ? nil
      : FilePromises(
        promises: indices.map { promises[$0] }, places: indices.map { places[$0] })
  }

  /// The promises, by index, whose pattern matches none of these items.
  package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
    patterns.indicesMatchingNone(of: paths)
  }

  /// Whether two apps promise the same, in the same order.
  public static func == (left: FilePromises, right: FilePromises) -> Bool {
    left.promises == right.promises
  }

  /// Hashes the promises, from which all else follows.
  public func hash(into hasher: inout Hasher) { hasher.combine(promises) }
}
