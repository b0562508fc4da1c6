package import BackupDiagnostics
import BackupFileTree

// The classes of an app's files in all its scenarios and tests.

extension FilePromises {
  /// Returns these promises, from the file `file`, as a list for all scenarios of the app.
  func shared(by file: String) -> FilePromises {
    let places = declarationSites.map { place -> DeclarationSite in
      if case .scenario(let position) = place { .shared(list: file, position) } else { place }
    }
    return FilePromises(promises: promises, declarationSites: places)
  }

  /// Returns these promises, followed by the shared promises. Omits the shared promises
  /// whose patterns these promises have.
  func adding(_ shared: FilePromises) -> FilePromises {
    let ownPatterns = Set(promises.map(\.pattern))
    let addedPromises = zip(shared.promises, shared.declarationSites).filter {
      !ownPatterns.contains($0.0.pattern)
    }
    return FilePromises(
      promises: promises + addedPromises.map(\.0),
      declarationSites: declarationSites + addedPromises.map(\.1))
  }

  /// Returns the first difference between two shared lists, in words; nil if they are equal.
  ///
  /// The command-line tool knows only the list in the scenario folder. If the list of the tests
  /// differed, a scenario would have two verdicts.
  fileprivate func disagreement(with other: FilePromises) -> String? {
    let listNames = (
      declarationSites.first?.listName ?? "", other.declarationSites.first?.listName ?? ""
    )
    for (index, promise) in promises.enumerated() {
      guard let counterpart = other.promises.first(where: { $0.pattern == promise.pattern }) else {
        return "\(promise.shown) is in \(declarationSites[index]), but not in \(listNames.1)"
      }
      guard counterpart.dataClass == promise.dataClass else {
        return
          "\(promise.shown) in \(declarationSites[index]) is \(counterpart.dataClass.rawValue) in \(listNames.1)"
      }
    }
    if let missingIndex = other.promises.indices.first(where: { index in
      !promises.contains { $0.pattern == other.promises[index].pattern }
    }) {
      return
        "\(other.promises[missingIndex].shown) is in \(other.declarationSites[missingIndex]), but not in \(listNames.0)"
    }
    return promises == other.promises
      ? nil : "the patterns in \(listNames.0) and \(listNames.1) are in different orders"
  }
}

extension FilePromises.Promise {
  /// The promise in a message: `'Documents/**' (critical)`.
  package var shown: String { "'\(pattern.description.escapedExcerpt)' (\(dataClass.rawValue))" }
}

extension FilePromises.DeclarationSite: CustomStringConvertible {
  /// The place in a message: the position in a file, or the name of the code.
  package var description: String {
    switch self {
    case .scenario(let position): "line \(position.line)"
    case .code: "the test"
    case .shared(let list, let position): position?.location(in: list) ?? list
    }
  }

  /// The name of the list for all scenarios of an app; nil for a promise of one scenario or test.
  package var listName: String? {
    if case .shared(let list, _) = self { list } else { nil }
  }
}

extension Scenario {
  /// Returns the scenario with the classes that its app shares, after the scenario's own classes.
  ///
  /// - Throws: `RunError` with the code `.invalidApp` if the scenario has a different shared list.
  package func adding(sharedPromises addedPromises: FilePromises) throws(RunError) -> Scenario {
    if let sharedPromises {
      guard let disagreement = sharedPromises.disagreement(with: addedPromises) else { return self }
      throw RunError(
        .invalidApp,
        "two lists for all scenarios of an app differ: \(disagreement); write the same in both, "
          + "or remove one of them")
    }
    var scenario = self
    scenario.sharedPromises = addedPromises
    scenario.files = files?.adding(addedPromises) ?? addedPromises
    return scenario
  }
}
