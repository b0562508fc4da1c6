import BackupTesting
import Testing

/// The app with one thing wrong in its code that only shows where iOS ends it at the wrong moment.
///
/// It passes the scenario when that is run, and is found when it is explored.
struct FragileApp: Sendable {
  let name: String
  /// The scenario that is explored, by its id.
  let scenario: String
  /// The rule that it breaks.
  let rule: String
  /// The app, which is started as a process of its own.
  let app: any AppUnderTest.Type

  /// One for each thing, each in a file of its own.
  static let all = [
    FragileApp(
      name: "A device identity that is marked where it was saved",
      scenario: "first-launch",
      rule: "recreatable-data-backed-up", app: MarksIdentityInPlace.self),
    FragileApp(
      name: "A copy for the user that is made where it is to be", scenario: "movies/exported",
      rule: "half-done", app: ExportsInPlace.self),
  ]
}

extension FragileApp: CustomTestStringConvertible {
  /// What is wrong, as the test case's name.
  var testDescription: String { name }
}

extension AppActions {
  /// The same actions but for one.
  func binding(
    _ name: String, _ action: @escaping @Sendable (ActionCall) throws -> Void
  ) -> AppActions {
    var actions = self
    actions.bind(name) { try action($0) }
    return actions
  }
}
