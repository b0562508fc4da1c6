import BackupFileTree

/// The keys of a property list of user defaults, with the steps that set their values.
struct UserDefaultsHistory: Sendable {
  private var values: [String: PropertyList] = [:]
  /// The steps that set the present and earlier values of each key. A restore may bring back an earlier value.
  private var steps: [String: [PropertyList: Scenario.StepReference]] = [:]

  /// Updates the history to a new list, whose changed values were set by a step, or restored by iOS if `step` is nil.
  mutating func update(to list: PropertyList, setBy step: Scenario.StepReference?) {
    guard case .dictionary(let values) = list else { return }
    if let step {
      for (key, value) in values where self.values[key] != value {
        steps[key, default: [:]][value] = step
      }
    }
    self.values = values
  }

  /// Returns the step that set a key's present value, or the dictionary that contains it. The key has the form of
  /// `PropertyList.key(where:)`.
  func step(setting key: String) -> Scenario.StepReference? {
    let top = values.keys.filter { key == $0 || key.hasPrefix("\($0).") }.max {
      $0.count < $1.count
    }
    return top.flatMap { top in values[top].flatMap { steps[top]?[$0] } }
  }
}
