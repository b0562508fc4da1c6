package import BackupDevice
import BackupDiagnostics
package import BackupFileTree
package import BackupScenarios

/// How much of one limit of a budget is used.
package struct BudgetUse: Sendable {
  /// The key of the scenario that has the limit, and the files that it is for.
  package let name: String
  /// What is measured: `bytes` or `files`.
  package let unit: String
  package let used: Int64
  package let limit: Int64

  package var isExceeded: Bool { used > limit }

  /// `5.1 MB of 5.0 MB, too much`: for people.
  package var phrase: String {
    let isSize = unit == "bytes"
    let (used, limit) =
      isSize ? Int64.formattedSizes(used, limit) : ("\(used)", Int(limit).counted("file"))
    return "\(used) of \(limit)\(!isExceeded ? "" : isSize ? ", too much" : ", too many")"
  }

  /// How a backup uses a budget; empty without a budget.
  package static func all(
    of budget: Scenario.Budget?, named name: String, in set: BackupSet
  ) -> [BudgetUse] {
    all(of: budget, named: name) { count in
      for decision in set.decisions where decision.isIncluded {
        if let size = decision.size { count(decision.path, size) }
      }
    }
  }

  /// How the files on the device use a budget; empty without a budget.
  package static func all(
    of budget: Scenario.Budget?, named name: String, in tree: FileTree
  ) -> [BudgetUse] {
    all(of: budget, named: name) { count in
      tree.walk { path, item in
        if let size = item.size { count(path, size) }
        return true
      }
    }
  }

  /// How files use a budget; the last parameter enumerates them.
  private static func all(
    of budget: Scenario.Budget?, named name: String,
    _ forEachFile: ((ContainerPath, Int64) -> Void) -> Void
  ) -> [BudgetUse] {
    guard let budget else { return [] }
    var tally = BudgetTally(budget)
    forEachFile { tally.count($0, $1) }
    return zip(budget.entries, tally.sums).flatMap { entry, sum in
      let scope = entry.pattern.map { " of '\(EscapedText.escape($0.description))'" } ?? ""
      let uses = [
        entry.limit.bytes.map { ("bytes", sum.bytes, $0) },
        entry.limit.files.map { ("files", Int64(sum.files), Int64($0)) },
      ]
      return uses.compactMap(\.self).map { unit, used, limit in
        BudgetUse(name: name + scope, unit: unit, used: used, limit: limit)
      }
    }
  }
}
