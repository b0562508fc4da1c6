import BackupTesting
import Testing

/// The app with one fault in its code that matters only if iOS ends the app at the wrong moment.
///
/// A run of the scenario passes, but an exploration finds the fault.
struct FragileApp: Sendable {
  let name: String
  /// The id of the scenario that is explored.
  let scenario: String
  /// The name of the rule that reports the fault.
  let rule: String
  /// The app, which runs in a process of its own.
  let app: any AppUnderTest.Type

  /// All faults. Each fault has a file of its own.
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
  /// The fault, as the name of the test case.
  var testDescription: String { name }
}

extension AppActions {
  /// Returns these actions, with another action for a name.
  func binding(
    _ name: String, _ action: @escaping @Sendable (ActionCall) throws -> Void
  ) -> AppActions {
    var actions = self
    actions.bind(name) { try action($0) }
    return actions
  }
}
