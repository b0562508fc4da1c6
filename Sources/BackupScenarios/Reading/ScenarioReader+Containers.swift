import BackupDiagnostics
import BackupFileTree

extension ScenarioReader {
  /// Notes each path and pattern that names a container which the app does not have.
  func refuseUndeclaredContainers(besides app: Scenario.App) {
    let declared = app.containerNames.map(\.string)
    let paths = declared.compactMap { try? ContainerPath($0) }
    var isDeclared: [String: Bool] = [:]
    for named in collector.namedContainers {
      let name = named.name
      let isKnown =
        isDeclared[name]
        ?? (try? PathPattern(name)).map { pattern in paths.contains(where: pattern.matches) }
        ?? false
      isDeclared[name] = isKnown
      if !isKnown {
        collector.note(
          "there is no container '\(name.shown)'; \(advice(on: name, of: app))", at: named.position
        )
      }
    }
  }

  /// What to do about the name of a container that the app does not have.
  private func advice(on name: String, of app: Scenario.App) -> String {
    let declared = app.containerNames.map(\.string)
    let identifier = String(name.dropLast())
    if identifier == app.bundleIdentifier {
      return "the app's own container has no prefix: remove "
        + "it"
    }
    guard
      name.contains(where: { "*?".contains($0) })
        || ContainerPath.Component(containerOf: identifier).isContainer
    else {
      return "write the identifier of a group or an extension before the colon, as in "
        + "'group.com.example.app:/a'"
    }
    let isGroup = identifier.hasPrefix("group.")
    let key = isGroup ? "groups" : "extensions"
    let entry = "write app: { \(key): [\"\(identifier.shown)\"] }"
    guard !name.contains(where: { "*?".contains($0) }) else {
      return declared.isEmpty
        ? "the app has no groups and no extensions"
        : "the app has \(declared.map { "'\($0.shown)'" }.joinedInWords)"
    }
    if let nearest = NearestWord.to(name, in: declared) {
      return "did you mean '\(nearest.shown)'? If not, also \(entry)"
    }
    let known =
      declared.isEmpty
      ? "" : "; the app has \(declared.prefix(10).map { "'\($0.shown)'" }.joinedInWords)"
    return entry + known
  }
}

extension Scenario.App {
  /// What is wrong with the app's identifiers; nil where they can be.
  package var problem: String? {
    if let problem = ContainerPath.Component.problem(withApp: bundleIdentifier) { return problem }
    var known: Set<String> = []
    let repeated = (groups + extensions).first { !known.insert($0).inserted }
    return groups.lazy.compactMap { ContainerPath.Component.problem(withGroup: $0) }.first
      ?? extensions.lazy.compactMap { [bundleIdentifier] in
        ContainerPath.Component.problem(withExtension: $0, of: bundleIdentifier)
      }.first
      ?? repeated.map { "'\($0)' appears twice; keep one" }
  }

  /// The names that its containers beside its own have in paths, groups first.
  var containerNames: [ContainerPath.Component] {
    (groups + extensions).map(ContainerPath.Component.init(containerOf:))
  }
}
