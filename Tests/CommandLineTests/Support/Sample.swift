#if os(macOS) || os(Linux)
import BackupDevice

enum Sample {
  /// The version of iOS under which a scenario runs that names none.
  static let newest = SystemProfile.newest.map { "\($0.version)" } ?? "none"

  /// One that passes once it is recorded; its save is at line 5, its backup at line 6.
  static let document = """
    {
      title: "A document is in the backup",
      files: { "Documents/**": "critical" },
      steps: [
        { save: "Documents/a.txt", size: "1 KB" },
        { backup: "first" },
      ],
    }
    """

  /// One that runs under three systems; `Documents/a.txt` is saved at lines 5 and 7.
  static let matrix = """
    {
      title: "A document is in every backup",
      system: ["5.0.1", "5.1", "18"],
      steps: [
        { save: "Documents/a.txt", size: 1000 },
        { backup: "first" },
        { save: "Documents/a.txt", size: 2000 },
        { backup: "second" },
        { purge: "lowStorage" },
      ],
    }
    """

  /// One with a finding of severity error that it does not expect, caused by its step 3 at line 6.
  static let lostMark = """
    {
      title: "A file saved again has lost its mark",
      steps: [
        { save: "Library/list.db", size: 10 },
        { exclude: "Library/list.db" },
        { save: "Library/list.db", size: 20 },
        { backup: "after" },
      ],
    }
    """

  static let expectedLostMark = lostMark.replacing(
    "\n  ],\n}", with: "\n  ],\n  expect: [{ rule: \"reapply-on-save\", step: 3 }],\n}")

  /// One whose step 2, at line 5, cannot be done.
  static let failingStepOnError = """
    {
      title: "A step cannot be done",
      steps: [
        { save: "Documents/a.txt", size: 10 },
        { remove: "Documents/b.txt" },
        { backup: "never" },
      ],
    }
    """

  /// One that performs the app's own code at line 4.
  static let performing = """
    {
      title: "The app saves",
      steps: [
        { perform: "save \\"all\\"", with: { id: 1 } },
        { backup: "first" },
      ],
    }
    """

  /// One with everything the system does, and a launch step with a finding.
  static let everything = """
    {
      title: "Everything the system does",
      system: "5.0",
      launch: [{ exclude: "Documents/missing.txt" }],
      steps: [
        { save: "Documents/a.txt", size: 10 },
        { save: "Library/Caches/c.bin", size: 20 },
        { save: "tmp/t.bin", size: 30 },
        { backup: "the old phone" },
        { purge: "lowStorage" },
        { updateApp: "2.0" },
        { updateSystem: "6" },
        { restore: "the old phone" },
      ],
    }
    """

}
#endif
