import BackupJSON5

/// Reads the requirements that a scenario cites.
enum RequirementReader {
  /// Reads the ids of a list; one that is not in the catalogue, or stands twice, is a mistake.
  static func read(
    _ list: LocatedValue?, _ collector: DiagnosticCollector
  ) -> [Scenario.Located<String>] {
    var found: [Scenario.Located<String>] = []
    for value in list?.array(of: "requirement ids", collector) ?? [] {
      guard let id = value.string("a requirement id", collector) else { continue }
      if let objection = RequirementCatalogue.objection(to: id) {
        collector.error(objection, at: value.position)
      } else if found.contains(where: { $0.value == id }) {
        collector.error("'\(id)' stands here twice; keep one", at: value.position)
      }
      found.append(Scenario.Located(value: id, position: value.position))
    }
    return found
  }
}
