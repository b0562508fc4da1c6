import BackupDevice

extension StepKind {
  static let restart: StepKind = {
    let locked = Field(
      "locked", .boolean, default: .value(false),
      "true: the user does not unlock the device, and iOS launches the app in the background. Until "
        + "'unlock', the app can read only files with protection: \"none\".")
    let restart = Field<Transcript.SystemEvent.LockChange>(
      "restart",
      .object("{ locked: … }", [locked]) { object in
        object[locked] == true ? .lockedRestart : .restart
      }, default: .required, "{}, or { locked: true }.")
    return StepKind(
      .restart, restart,
      "The device restarts, which ends the app. Without 'locked', the user unlocks the device, and the "
        + "app's next step launches it.",
      examples: [["restart": ["locked": true]], ["restart": [:]]]
    ) { step in step[restart].map { .system(.lock($0)) } }
  }()

  static let lock = StepKind(
    .lock, keywordOnlyField("lock"),
    "The user locks the device, and the app keeps running. Until 'unlock', it cannot read files with "
      + "protection: \"complete\".",
    examples: [["lock": [:]]]
  ) { _ in .system(.lock(.lock)) }

  static let unlock = StepKind(
    .unlock, keywordOnlyField("unlock"), "The user unlocks the device.", examples: [["unlock": [:]]]
  ) { _ in .system(.lock(.unlock)) }
}

extension Field where Value == DataProtection {
  static let protection = Field(
    "protection", .word(of: DataProtection.self, named: "protection"),
    default: .inWords("what iOS gives a new file"),
    "The new file's protection while the device is locked. complete: the app can read the file only "
      + "while the device is unlocked. untilFirstUnlock: the app can read the file from the first "
      + "unlock after a restart. none: always.")
}
