import BackupCollections
import BackupDiagnostics
import BackupScenarios
import Foundation

/// An item on which a golden file and runs differ.
package struct ChangedItem: Codable, Hashable, Sendable {
  /// The runs, such as `iOS 18, iCloud`.
  package fileprivate(set) var runs = ""
  /// The event of iOS, such as `backup "at night"`.
  package let step: String
  package let path: String
  /// The golden file's line on the item; nil if the golden file does not list the item.
  package let golden: String?
  /// The same line of the runs.
  package let run: String?
}

extension ScenarioResult {
  private static let mostItems = 500

  /// The items on which the golden file and runs differ, and the number of those that are not shown; nil if
  /// nothing differs, or if a finding fails the scenario.
  var changedItems: (shown: [ChangedItem], more: Int)? {
    guard case .differs = golden, !hasUnexpectedFailure else { return nil }
    let changes = runs.compactMap(\.transcript).map { transcript in
      let section = scenario.goldenSection(of: transcript.variant, in: expectedGolden ?? "")
      let old = Self.listedItems(in: section?.body ?? [])
      let new = Self.listedItems(in: transcript.goldenLines)
      let items = (new.order + old.order.filter { new.lines[$0] == nil }).compactMap { item in
        old.lines[item] == new.lines[item]
          ? nil
          : ChangedItem(
            step: item[0].asMessage, path: item[1].asMessage,
            golden: old.lines[item]?.asMessage, run: new.lines[item]?.asMessage)
      }
      return (variant: transcript.variant, items: items)
    }
    let all = changes.grouped { $0.items }.flatMap { group in
      let runs = VariantGroup(group.map(\.variant), of: scenario).names.joined(separator: "; ")
      return group[0].items.map { item in
        var item = item
        item.runs = runs
        return item
      }
    }
    return (Array(all.prefix(Self.mostItems)), max(0, all.count - Self.mostItems))
  }

  /// Returns the lines of the items in a section, by the event and the path, and these keys in their order.
  private static func listedItems(
    in section: [String]
  ) -> (lines: [[String]: String], order: [[String]]) {
    var (lines, order): ([[String]: String], [[String]]) = ([:], [])
    for line in GoldenDocument(parsing: section.joined(separator: "\n")).lines {
      guard let item = GoldenDocument.Content(line.text).item else { continue }
      let key = [line.event?.description ?? "", item.name]
      if lines.updateValue(String(line.text), forKey: key) == nil { order.append(key) }
    }
    return (lines, order)
  }
}
