import BackupFileTree

/// The keys of a property list of user defaults, with the steps that set their values.
struct UserDefaultsHistory: Sendable {
  private var values: [String: PropertyList] = [:]
  /// The step that set each value that a key has or had: a restore may bring back an earlier one.
  private var steps: [String: [PropertyList: Scenario.StepReference]] = [:]

  /// Notes what is in the list now; what is new was set by a step, or put back by the system if that is
  /// nil.
  mutating func note(_ list: PropertyList, setBy step: Scenario.StepReference?) {
    guard case .dictionary(let values) = list else { return }
    if let step {
      for (key, value) in values where self.values[key] != value {
        steps[key, default: [:]][value] = step
      }
    }
    self.values = values
  }

  /// The step that set the value which a key has, or the dictionaries that contain it; the key is as
  /// of `PropertyList.key(where:)`.
  func step(setting key: String) -> Scenario.StepReference? {
    let top = values.keys.filter { key == $0 || key.hasPrefix("\($0).") }.max {
      $0.count < $1.count
    }
    return top.flatMap { top in values[top].flatMap { steps[top]?[$0] } }
  }
}
