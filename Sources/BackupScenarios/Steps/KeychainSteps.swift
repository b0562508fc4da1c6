import BackupDevice
import BackupDiagnostics

extension StepKind {
  static let setKeychainItem: StepKind = {
    let name = Field<String>(
      "setKeychainItem", .keychainItem, default: .required, "The item's name.")
    let accessibility = Field<SystemProfile.KeychainPolicy.Accessibility>(
      "accessibility",
      .word(of: SystemProfile.KeychainPolicy.Accessibility.self, named: "accessibility"),
      default: .value("ordinary"),
      "ordinary: an encrypted backup to a computer can move the item to another device. "
        + "thisDeviceOnly, for secrets: no backup can move the item to another device.")
    return StepKind(
      .setKeychainItem, name,
      "The app sets a keychain item. Deleting the app does not delete the item. A restore to the "
        + "same device restores the item.",
      examples: [
        ["setKeychainItem": "session"],
        ["setKeychainItem": "token", "accessibility": "thisDeviceOnly"],
      ], beside: [accessibility]
    ) { step in
      guard !step.isMistaken(accessibility), let name = step[name],
        let accessibility = step[accessibility]
      else { return nil }
      return .app(.setKeychainItem(name, accessibility))
    }
  }()

  static let readKeychainItem: StepKind = {
    let name = Field<String>(
      "readKeychainItem", .keychainItem, default: .required, "The item's name.")
    let skips = Field(
      "ifMissing", .word([("skip", true)]),
      default: .inWords("the app does not check"),
      "With this key, the app checks whether the item exists. skip: if the item is missing, "
        + "the app continues.")
    return StepKind(
      .readKeychainItem, name,
      "The app reads a keychain item. Without 'ifMissing', a missing item causes a finding.",
      examples: [
        ["readKeychainItem": "session"], ["readKeychainItem": "token", "ifMissing": "skip"],
      ], beside: [skips]
    ) { step in
      guard let name = step[name], !step.isMistaken(skips) else { return nil }
      return .app(.readKeychainItem(name, looksFirst: step[skips] == true))
    }
  }()
}

extension ScenarioRun {
  mutating func setKeychainItem(
    _ name: String, _ accessibility: SystemProfile.KeychainPolicy.Accessibility
  ) throws(StepFailure) {
    state.keychain[name] = accessibility
    try record(.keychainItem(name, isMissing: false))
  }

  mutating func readKeychainItem(_ name: String, looksFirst: Bool) throws(StepFailure) {
    let isMissing = state.keychain[name] == nil
    guard !isMissing || !looksFirst else { return }
    try record(.keychainItem(name, isMissing: isMissing))
    guard isMissing else { return }
    throw StepFailure(
      "the keychain item '\(name.shown)' does not exist", .reported(.simulated))
  }
}

extension Form where Value == String {
  fileprivate static var keychainItem: Form {
    filledString(
      "the name of a keychain item", empty: "the name is empty; write a keychain item's name")
  }
}
