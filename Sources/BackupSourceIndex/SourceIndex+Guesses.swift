import BackupCollections
import BackupContainer
import BackupDiagnostics
import BackupRules
import BackupScenarios
package import BackupVerdicts
import Foundation

extension SourceIndex {
  /// Returns the places that may change the item at a path, one for each function.
  ///
  /// These are the places nearest to a string in the code with the item's name. If no file with
  /// places has such a string, strings with the item's file extension count. If no file has these
  /// either, strings with the name of the item's folder count.
  fileprivate func places(near path: String, using uses: Set<StorageUse>) -> [StoragePlace] {
    let components = path.split(separator: "/")
    guard let name = components.last else { return [] }
    let fileExtension = name.lastIndex(of: ".").map { name[$0...] }
    let folder = components.dropFirst(components.first == "Library" ? 2 : 1).dropLast().last
    let nameConditions: [(Substring) -> Bool] = [
      { $0 == name },
      { fileExtension.map($0.hasSuffix) ?? false || $0 == fileExtension?.dropFirst() },
      { $0 == folder },
    ]
    let placesWithUse = places.filter { uses.contains($0.use) && !$0.function.isEmpty }
    let matches = nameConditions.lazy.map { isMatch in
      let matchingLines = self.pathComponentsByFile.mapValues { components in
        components.filter { isMatch($0.name) }.map(\.line)
      }
      return placesWithUse.compactMap { place in
        matchingLines[place.file]?.map { abs($0 - place.line) }.min().map {
          (place: place, distance: $0)
        }
      }
    }.first { !$0.isEmpty }
    let leastDistance = matches?.map(\.distance).min()
    let nearestPlaces = (matches ?? []).filter { $0.distance == leastDistance }.map(\.place)
    return nearestPlaces.grouped(by: \.functionID).map { $0[0] }
  }
}

extension ChangeCall.Kind {
  /// The uses of storage that a call of this kind may have in the index, the likeliest first.
  fileprivate var uses: [Set<StorageUse>] {
    switch self {
    case .save, .move: [[.save, .move, .copy], [.folder]]
    case .removal: [[.removal, .move]]
    case .mark, .unmark: [[.mark]]
    // The index does not list code that only reads.
    case .refusal, .look: []
    }
  }
}

extension SuiteReport {
  /// Adds to each finding without a line of code the places in the app's sources that may cause it.
  package mutating func addSuspectedPlaces(from index: SourceIndex) {
    for scenario in scenarios.indices {
      for problem in scenarios[scenario].problems.indices {
        scenarios[scenario].problems[problem].addSuspectedPlaces(from: index)
      }
    }
  }
}

extension Scenario.Problem {
  fileprivate mutating func addSuspectedPlaces(from index: SourceIndex) {
    guard let path, case .finding(let rule) = kind, code.isEmpty,
      !details.contains(where: { $0.hasPrefix("code: perhaps ") })
    else { return }
    let calls = RuleList.rule(named: rule)?.suspectedCalls ?? [.save]
    let places =
      calls.flatMap(\.uses).lazy.map { index.places(near: path, using: $0) }.first { !$0.isEmpty }
      ?? []
    guard !places.isEmpty else { return }
    let words = places.prefix(2).map { "`\($0.function)`, \($0.file.onOneLine):\($0.line)" }
    details.insert("code: perhaps \(words.joined(separator: ", or "))".asMessage, at: 0)
  }
}
