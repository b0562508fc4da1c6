import BackupFileTree

/// The keys of a property list of user defaults, with the steps that set their values.
struct UserDefaultsHistory: Sendable {
  /// The current value of each key.
  private var currentValues: [String: PropertyList] = [:]
  /// The steps that set the current and earlier values of each key. A restore may bring back an
  /// earlier value.
  private var stepsByValue: [String: [PropertyList: Scenario.StepReference]] = [:]

  /// Updates the history to a new list. `step` has set the changed values. If `step` is nil, iOS
  /// has restored the values.
  mutating func update(to list: PropertyList, setBy step: Scenario.StepReference?) {
    guard case .dictionary(let newValues) = list else { return }
    if let step {
      for (key, value) in newValues where currentValues[key] != value {
        stepsByValue[key, default: [:]][value] = step
      }
    }
    currentValues = newValues
  }

  /// Returns the step that set the current value of a key. If the key is in a dictionary, returns
  /// the step that set the dictionary. The key has the form of `PropertyList.key(where:)`, such as
  /// `account.picture`.
  func step(setting key: String) -> Scenario.StepReference? {
    let topLevelKey = currentValues.keys.filter { key == $0 || key.hasPrefix("\($0).") }.max {
      $0.count < $1.count
    }
    return topLevelKey.flatMap { top in currentValues[top].flatMap { stepsByValue[top]?[$0] } }
  }
}
