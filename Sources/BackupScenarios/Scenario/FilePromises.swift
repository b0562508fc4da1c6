public import BackupDiagnostics
public import BackupFileTree

/// The class of a file: the app's promise about the file's origin and purpose.
@nonexhaustive
public enum DataClass: String, CaseIterable, Hashable, Sendable {
  /// The user's own data, which cannot be recreated (`apple-guidelines-2011`).
  case critical
  /// Data that the app needs to run, and can download or recreate.
  case support
  /// Data that the user wants without a network, and that the app can download again.
  case offline
  /// Data that only saves time, and that the app can recreate.
  case cached
  /// Data that the app no longer needs after the current task.
  case temporary
  /// Data that must not leave the device: a password, a key, a token (`eidinger`).
  case secret
}

/// The classes of an app's files, by pattern. The first pattern that matches a file decides.
public struct FilePromises: Hashable, Sendable {
  /// A pattern with the class of the files that it matches.
  public struct Promise: Hashable, Sendable {
    /// The pattern of the files.
    public let pattern: PathPattern
    /// The class of the files.
    public let dataClass: DataClass
  }

  /// The promises, in the order of the scenario file.
  public let promises: [Promise]
  /// The place where each promise is written.
  package let declarationSites: [DeclarationSite]
  /// An index of the patterns, which finds the first pattern that matches a path.
  private let patterns: PatternIndex

  /// The place where a promise is written.
  package enum DeclarationSite: Hashable, Sendable {
    /// A scenario's file.
    case scenario(SourcePosition)
    /// The code of a test.
    case code
    /// A list for all scenarios and tests of an app. `list` is the name of the list. The position
    /// is nil for a list in code.
    case shared(list: String, SourcePosition?)
  }

  /// Creates promises from patterns, in the given order.
  ///
  /// - Parameter files: Patterns, each with the class of the files that it matches.
  /// - Throws: `RunError` with the code `.invalidPath` for an invalid pattern.
  public init(_ files: KeyValuePairs<String, DataClass>) throws(RunError) {
    try self.init(files, at: .code)
  }

  /// Creates promises that are all written at one place.
  package init(_ files: KeyValuePairs<String, DataClass>, at place: DeclarationSite)
    throws(RunError)
  {
    var promises: [Promise] = []
    for (text, dataClass) in files {
      promises.append(Promise(pattern: try PathPattern(matching: text), dataClass: dataClass))
    }
    self.init(promises: promises, declarationSites: promises.map { _ in place })
  }

  init(promises: [Promise], declarationSites: [DeclarationSite]) {
    self.promises = promises
    self.declarationSites = declarationSites
    self.patterns = PatternIndex(promises.map(\.pattern))
  }

  /// Returns the class of an item; nil if no pattern matches the item.
  ///
  /// - Parameter path: The item's path, relative to the container.
  /// - Returns: The class of the first pattern that matches.
  public func dataClass(of path: ContainerPath) -> DataClass? {
    patterns.firstIndex(matching: path).map { promises[$0].dataClass }
  }

  /// Returns only the promises at these indices; nil if there are no indices.
  package func keeping(_ indices: [Int]) -> FilePromises? {
    indices.isEmpty
      ? nil
      : FilePromises(
        promises: indices.map { promises[$0] },
        declarationSites: indices.map { declarationSites[$0] })
  }

  /// Returns the indices of the promises whose pattern matches none of these items.
  package func indicesMatchingNone(of paths: some Sequence<ContainerPath>) -> [Int] {
    patterns.indicesMatchingNone(of: paths)
  }

  /// Returns true if two lists have the same promises in the same order.
  public static func == (left: FilePromises, right: FilePromises) -> Bool {
    left.promises == right.promises
  }

  /// Hashes the promises.
  public func hash(into hasher: inout Hasher) { hasher.combine(promises) }
}
