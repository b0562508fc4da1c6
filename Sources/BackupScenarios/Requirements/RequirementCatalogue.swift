import BackupDiagnostics

/// Every requirement that the kit knows; adding one means one entry in the list of its area.
package enum RequirementCatalogue {
  /// The requirements, area by area.
  package static let all: [Scenario.Requirement] =
    layout + backup + mark + era + purge + update + restore + dataClass

  /// The requirement of an id; nil where there is none.
  ///
  /// - Parameter id: The stable name, area first: `mark.reapply-on-save`.
  /// - Returns: The catalogue's entry, or nil.
  package static func requirement(_ id: String) -> Scenario.Requirement? { byID[id] }

  /// The requirements by id.
  private static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

  /// Why an id cannot be cited, with the nearest that can; nil where it can.
  static func objection(to id: String) -> String? {
    guard requirement(id) == nil else { return nil }
    let nearest = NearestWord.to(id, in: byID.keys).map { "did you mean '\($0)'? " } ?? ""
    return "there is no requirement '\(EscapedText.escape(String(id.prefix(60))))'; \(nearest)"
      + "('backup-testing requirements' lists them)"
  }
}
