extension Command {
  /// What `new` writes: a scenario that can be read and run as it is.
  static let scenarioTemplate = """
    {
      // What this scenario shows, in a sentence.
      title: "A downloaded movie stays out of the backup, the user's list is in it",

      // The versions of iOS to run under, and where backups go: a value or a list.
      // By default, the newest version and "iCloud".
      // system: ["5.1", "18"],
      // backups: ["iCloud", "local"],

      // The class of the app's files; the first pattern that matches decides: critical (the user's
      // own), support, offline, cached or temporary (can be created or downloaded again), or secret
      // (must not leave the device).
      files: {
        "Documents/**": "critical",
        "Library/Application Support/Movies/**": "offline",
      },

      // A container to start from, as an earlier version of the app left it; `--allow-backups` reads it.
      // start: { container: "Fixtures/version-1" },

      // What the app and the system do, in order.
      steps: [
        { save: "Documents/watchlist.json", size: "2 KB" },

        // Library/Application Support does not exist in a new container.
        { createDirectory: "Library/Application Support/Movies" },
        { save: "Library/Application Support/Movies/1.mp4", size: "700 MB" },
        { exclude: "Library/Application Support/Movies/1.mp4" },

        { backup: "after the download" },

        // Also: append, include, move, copy, remove, link, read and perform by the app;
        // purge, updateApp, updateSystem, restore, kill and relaunch by the system.
        // A step of the app may have `killed: { before: "mark" }`: the app is killed at that point.
        // A later step may have `mayThrow: true`. `backup-testing explore` kills it at every point.
      ],

      // The findings that must occur, if this scenario shows a mistake. Any other fails the run.
      // expect: [
      //   { rule: "reapply-on-save", step: 4, path: "Library/Application Support/Movies/1.mp4" },
      // ],

      // What `explore` does not inject, and why.
      // explore: { without: ["newDevice"], reason: "the account is signed in again there" },
    }

    """
}
