#if os(macOS) || os(Linux)
import BackupDevice

/// The texts of scenario files for tests.
enum Sample {
  /// The newest version of iOS. Scenarios without the key `system` run under it.
  static let newest = SystemProfile.newest.map { "\($0.version)" } ?? "none"

  /// A scenario that passes after its golden file is recorded. Its save is in line 5, and its
  /// backup in line 6.
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

  /// A scenario that runs under three versions of iOS. Lines 5 and 7 save `Documents/a.txt`.
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

  /// A scenario with an unexpected error. Step 3, in line 6, causes it.
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

  /// The same scenario, but it expects the error.
  static let expectedLostMark = lostMark.replacing(
    "\n  ],\n}", with: "\n  ],\n  expect: [{ rule: \"reapply-on-save\", step: 3 }],\n}")

  /// A scenario whose step 2, in line 5, fails.
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

  /// A scenario that runs the app's own code in line 4.
  static let performing = """
    {
      title: "The app saves",
      steps: [
        { perform: "save \\"all\\"", with: { id: 1 } },
        { backup: "first" },
      ],
    }
    """

  /// A scenario with many kinds of system steps, and with a finding of a launch step.
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
