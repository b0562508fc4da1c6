import BackupCollections
import BackupDiagnostics
import BackupScenarios
import Foundation

/// An item whose line in the golden file differs from its line in runs.
package struct ChangedItem: Codable, Hashable, Sendable {
  /// The runs, such as `iOS 18, iCloud`.
  package fileprivate(set) var runs = ""
  /// The event of iOS, such as `backup "at night"`.
  package let step: String
  package let path: String
  /// The item's line in the golden file; nil if the golden file does not list the item.
  package let golden: String?
  /// The item's line in the runs; nil if the runs do not list the item.
  package let run: String?
}

extension ScenarioResult {
  private static let maximumItemCount = 500

  /// The first items whose lines differ between the golden file and runs, and the number of further
  /// items.
  ///
  /// Nil if nothing differs, or if a finding fails the scenario.
  var changedItems: (firstItems: [ChangedItem], otherCount: Int)? {
    guard case .differs = goldenOutcome, !hasUnexpectedFailure else { return nil }
    let changesOfRuns = runs.compactMap(\.transcript).map { transcript in
      let section = scenario.goldenSection(of: transcript.variant, in: expectedGolden ?? "")
      let goldenItems = Self.listedItems(in: section?.body ?? [])
      let runItems = Self.listedItems(in: transcript.goldenLines)
      let items =
        (runItems.orderedKeys + goldenItems.orderedKeys.filter { runItems.linesByKey[$0] == nil })
        .compactMap { key in
          goldenItems.linesByKey[key] == runItems.linesByKey[key]
            ? nil
            : ChangedItem(
              step: key[0].asMessage, path: key[1].asMessage,
              golden: goldenItems.linesByKey[key]?.asMessage,
              run: runItems.linesByKey[key]?.asMessage)
        }
      return (variant: transcript.variant, items: items)
    }
    let allItems = changesOfRuns.grouped { $0.items }.flatMap { group in
      let runs = VariantGroup(group.map(\.variant), of: scenario).names.joined(separator: "; ")
      return group[0].items.map { item in
        var item = item
        item.runs = runs
        return item
      }
    }
    return (
      Array(allItems.prefix(Self.maximumItemCount)), max(0, allItems.count - Self.maximumItemCount)
    )
  }

  /// Returns the lines of the items in a section by key, and the keys in the order of the lines.
  ///
  /// A key has the item's event and path.
  private static func listedItems(
    in section: [String]
  ) -> (linesByKey: [[String]: String], orderedKeys: [[String]]) {
    var (linesByKey, orderedKeys): ([[String]: String], [[String]]) = ([:], [])
    for line in GoldenDocument(parsing: section.joined(separator: "\n")).lines {
      guard let item = GoldenDocument.Content(line.text).item else { continue }
      let key = [line.event?.description ?? "", item.name]
      if linesByKey.updateValue(String(line.text), forKey: key) == nil { orderedKeys.append(key) }
    }
    return (linesByKey, orderedKeys)
  }
}
