import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension StepKind {
  private static let accessibility = Field<SystemProfile.KeychainPolicy.Accessibility>(
    "accessibility",
    .word(of: SystemProfile.KeychainPolicy.Accessibility.self, named: "accessibility"),
    default: .value("ordinary"),
    "ordinary: an encrypted backup to a computer can move the item to another device. "
      + "thisDeviceOnly, for secrets: no backup can move the item to another device.")

  private static let value = Field<StoredValue>(
    "value", .storedValue, default: .inWords("a new random value each time"),
    "The item's value.")

  static let setKeychainItem: StepKind = {
    let name = Field<String>(
      "setKeychainItem", .keychainItem, default: .required, "The item's name.")
    return StepKind(
      .setKeychainItem, name,
      "The app sets a keychain item. Deleting the app does not delete the item. A restore to the "
        + "same device restores the item.",
      examples: [
        ["setKeychainItem": "session"],
        ["setKeychainItem": "token", "accessibility": "thisDeviceOnly"],
      ], beside: [accessibility, value]
    ) { step in
      guard let name = step[name], let item = item(in: step) else { return nil }
      return .app(.setKeychainItem(name, item))
    }
  }()

  static let readKeychainItem: StepKind = {
    let name = Field<String>(
      "readKeychainItem", .keychainItem, default: .required, "The item's name.")
    let ifMissingField = Field(
      "ifMissing", .word([("recreate", true), ("skip", false)]),
      default: .inWords("the app does not check"),
      "With this key, the app checks whether the item exists. recreate: the app sets a missing item "
        + "again. skip: if the item is missing, the app continues.")
    let expected = Field(
      "expect", .expectedDefault, default: .inWords("no check"),
      "The value that the app must find, if the item exists. null: the item must be missing.")
    return StepKind(
      .readKeychainItem, name,
      "The app reads a keychain item. Without 'ifMissing', a missing item causes a finding. The step "
        + "fails if the value differs from 'expect'.",
      examples: [
        ["readKeychainItem": "session"], ["readKeychainItem": "token", "ifMissing": "skip"],
        ["readKeychainItem": "vault-key", "ifMissing": "recreate"],
      ], beside: [ifMissingField, expected, accessibility, value],
      keyRules: [
        .onlyIf(
          ifMissingField, is: "recreate", otherwise: "skip", exactlyOneOf: [],
          optional: [accessibility, value])
      ]
    ) { step in
      let isIfMissingInvalid = step.isInvalid(ifMissingField)
      let recreatesMissingItem = step[ifMissingField] == true
      if !recreatesMissingItem, !isIfMissingInvalid,
        let unusedValue = step[accessibility.key] ?? step[value.key]
      {
        unusedValue.report(
          "this step sets no item, so it has no use for 'accessibility' or 'value'; add ifMissing: "
            + "\"recreate\", or remove them")
      }
      guard let name = step[name], !isIfMissingInvalid, !step.isInvalid(expected),
        let item = item(in: step)
      else { return nil }
      let ifMissing: AppStep.IfMissing<KeychainItem> =
        recreatesMissingItem
        ? .recreated(item) : step[ifMissingField] == nil ? .unchecked : .skipped
      return .app(.readKeychainItem(name, ifMissing: ifMissing, expected: step[expected]))
    }
  }()

  static let removeKeychainItem: StepKind = {
    let name = Field<String>(
      "removeKeychainItem", .keychainItem, default: .required, "The item's name.")
    return StepKind(
      .removeKeychainItem, name,
      "The app removes a keychain item, for example one that a deleted app left behind. If the item "
        + "is missing, nothing happens.",
      examples: [["removeKeychainItem": "session"]]
    ) { step in step[name].map { .app(.removeKeychainItem($0)) } }
  }()

  /// Returns the item that a step sets; nil after a mistake.
  private static func item(in step: ObjectReader) -> KeychainItem? {
    guard !step.isInvalid(accessibility), !step.isInvalid(value),
      let accessibility = step[accessibility]
    else { return nil }
    return KeychainItem(accessibility: accessibility, value: step[value])
  }
}

extension ScenarioRun {
  mutating func setKeychainItem(_ name: String, _ item: KeychainItem) throws(StepFailure) {
    var item = item
    // Each new number makes the device differ from all earlier devices, so exploration would reach
    // no equal states. Only an item that encrypts files needs a new number.
    if item.value == nil, stepUses.sealingItems.contains(name) {
      device.randomValueCount += 1
      item.randomValueNumber = device.randomValueCount
    }
    device.keychain[name] = item
    device.valuesOfOtherDevice.remove(name)
    try record(.keychainItem(name, isMissing: false))
  }

  mutating func removeKeychainItem(_ name: String) throws(StepFailure) {
    guard device.keychain.removeValue(forKey: name) != nil else { return }
    try record(.keychainItem(name, isMissing: false))
  }

  mutating func readKeychainItem(
    _ name: String, ifMissing: AppStep.IfMissing<KeychainItem>, expecting expected: ExpectedDefault?
  ) throws(StepFailure) {
    guard let item = keychainItem(named: name) else {
      switch ifMissing {
      case .recreated(let item): return try setKeychainItem(name, item)
      case .unchecked where expected != .nothing: try reportMissingKeychainItem(name)
      case .skipped, .unchecked: return
      }
    }
    try record(.keychainItem(name, isMissing: false))
    try recordUse(ofValue: name)
    guard let expected, expected == .nothing || !expected.isMet(by: item.value) else { return }
    let clause = item.value.map { "with the value \($0)" } ?? "without a 'value'"
    throw StepFailure(
      expected == .nothing
        ? "expected no keychain item '\(name.escapedExcerpt)', but it exists, \(clause)"
        : "expected the keychain item '\(name.escapedExcerpt)' to be \(expected), but it exists \(clause)"
    )
  }

  mutating func reportMissingKeychainItem(_ name: String) throws(StepFailure) -> Never {
    guard device.keychain[name] == nil else {
      try record(.lockedKeychainItem(name))
      throw StepFailure(
        "the keychain item '\(name.escapedExcerpt)' cannot be read before the first unlock",
        .reported(.simulated))
    }
    try record(.keychainItem(name, isMissing: true))
    throw StepFailure(
      "the keychain item '\(name.escapedExcerpt)' does not exist", .reported(.simulated))
  }

  /// Records an event if the app uses a value that a restore brought from another device.
  mutating func recordUse(ofValue name: String) throws(StepFailure) {
    guard device.valuesOfOtherDevice.contains(name) else { return }
    try record(.valueOfOtherDevice(name))
  }
}

extension Form where Value == String {
  static var keychainItem: Form {
    nonemptyString(
      "the name of a keychain item", empty: "the name is empty; write a keychain item's name")
  }
}
