package import BackupDiagnostics
import BackupFileTree

// The classes that hold in all scenarios and tests of an app.

extension FilePromises {
  /// The same promises of a file, as a list that all of the app's scenarios have.
  func shared(by file: String) -> FilePromises {
    let places = places.map { place -> Place in
      if case .scenario(let position) = place { .shared(list: file, position) } else { place }
    }
    return FilePromises(promises: promises, places: places)
  }

  /// These promises, then those that all of the app's scenarios and tests have. A pattern that is in
  /// both lists has the class of this one.
  func adding(_ shared: FilePromises) -> FilePromises {
    let own = Set(promises.map(\.pattern))
    let added = zip(shared.promises, shared.places).filter { !own.contains($0.0.pattern) }
    return FilePromises(promises: promises + added.map(\.0), places: places + added.map(\.1))
  }

  /// What two lists that all scenarios of an app have say differently; nil if they say the same.
  ///
  /// The tool knows only that of the scenario folder. If the other one said more, a scenario would have
  /// two verdicts.
  fileprivate func disagreement(with other: FilePromises) -> String? {
    let lists = (places.first?.listName ?? "", other.places.first?.listName ?? "")
    for (index, promise) in promises.enumerated() {
      guard let twin = other.promises.first(where: { $0.pattern == promise.pattern }) else {
        return "\(promise.shown) is in \(places[index]), but not in \(lists.1)"
      }
      guard twin.dataClass == promise.dataClass else {
        return "\(promise.shown) in \(places[index]) is \(twin.dataClass.rawValue) in \(lists.1)"
      }
    }
    if let missing = other.promises.indices.first(where: { index in
      !promises.contains { $0.pattern == other.promises[index].pattern }
    }) {
      return
        "\(other.promises[missing].shown) is in \(other.places[missing]), but not in \(lists.0)"
    }
    return promises == other.promises
      ? nil : "the patterns in \(lists.0) and \(lists.1) are in different orders"
  }
}

extension FilePromises.Promise {
  /// `'Documents/**' (critical)`, as messages name it.
  package var shown: String { "'\(pattern.description.shown)' (\(dataClass.rawValue))" }
}

extension FilePromises.Place: CustomStringConvertible {
  /// The file with the position in it, or what the code is called.
  package var description: String {
    switch self {
    case .scenario(let position): "line \(position.line)"
    case .code: "the test"
    case .shared(let list, let position): position?.place(in: list) ?? list
    }
  }

  /// The name of the list that all scenarios of an app have; nil for what only one has.
  package var listName: String? {
    if case .shared(let list, _) = self { list } else { nil }
  }
}

extension Scenario {
  /// Returns the same scenario with the classes that hold in all scenarios and tests of its app, after
  /// its own.
  ///
  /// - Throws: `RunError` with the code `.invalidApp` if another such list says something else.
  package func adding(shared: FilePromises) throws(RunError) -> Scenario {
    if let known = sharedFiles {
      guard let disagreement = known.disagreement(with: shared) else { return self }
      throw RunError(
        .invalidApp,
        "two lists for all scenarios of an app differ: \(disagreement); write the same in both, "
          + "or remove one of them")
    }
    var scenario = self
    scenario.sharedFiles = shared
    scenario.files = files?.adding(shared) ?? shared
    return scenario
  }
}
