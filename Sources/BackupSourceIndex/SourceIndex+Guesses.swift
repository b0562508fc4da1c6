import BackupCollections
import BackupContainer
import BackupScenarios
package import BackupVerdicts
import Foundation

extension SourceIndex {
  /// The functions with the places nearest to the item's name, or else to its extension, or else to its
  /// folder's name.
  fileprivate func functions(for path: String, that uses: Set<StorageUse>) -> [StoragePlace] {
    let components = path.split(separator: "/")
    guard let name = components.last else { return [] }
    let end = name.lastIndex(of: ".").map { name[$0...] }
    let folder = components.dropFirst(components.first == "Library" ? 2 : 1).dropLast().last
    let patterns: [(Substring) -> Bool] = [
      { $0 == name }, { end.map($0.hasSuffix) ?? false || $0 == end?.dropFirst() },
      { $0 == folder },
    ]
    let usable = places.filter { uses.contains($0.use) }
    let found = patterns.lazy.map { isMatch in
      usable.compactMap { place in
        self.names[place.file]?.filter { isMatch($0.name) }.map { abs($0.line - place.line) }.min()
          .map { (place: place, distance: $0) }
      }
    }.first { !$0.isEmpty }
    let nearest = (found ?? []).sorted { $0.distance < $1.distance }.map(\.place)
    return nearest.grouped(by: \.functionID).map { $0[0] }
  }
}

extension SuiteReport {
  /// Adds to each finding without a line of code the places in the app's sources that perhaps cause it.
  package mutating func addGuesses(from index: SourceIndex) {
    for scenario in scenarios.indices {
      for problem in scenarios[scenario].problems.indices {
        scenarios[scenario].problems[problem].addGuesses(from: index)
      }
    }
  }
}

extension Scenario.Problem {
  fileprivate mutating func addGuesses(from index: SourceIndex) {
    guard let path, case .finding(let rule) = kind,
      !details.contains(where: { $0.hasPrefix("code: ") })
    else { return }
    let saves: Set<StorageUse> = [.save, .folder, .move, .copy]
    let uses: [Set<StorageUse>] =
      switch CodeAccount.causes[rule] {
      case .mark: [[.mark], saves]
      case _ where rule == "user-data-lost": [[.removal, .move]]
      default: [saves]
      }
    let places =
      uses.lazy.map { index.functions(for: path, that: $0) }.first { !$0.isEmpty } ?? []
    guard !places.isEmpty else { return }
    let words = places.prefix(2).map { "`\($0.function)`, \($0.file):\($0.line)" }
    details.insert("code: perhaps \(words.joined(separator: ", or "))", at: 0)
  }
}
