import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ProfileStatement {
  /// All rows of WhatIOSDoes that the profiles, the layouts and the kinds of backup say too.
  static let all = marks + backups + otherContainers + purges + groupPurges + lives

  private static let marks = [
    ProfileStatement("The mark") { _, _ in
      let kinds = SystemProfile.BackupKind.allCases.filter { $0 != .off }.map(\.rawValue)
        .joinedInWords
      return "A mark has the same effect in every kind of backup: \(kinds)"
    }
  ]

  /// What a backup holds of the app's own container, and an extension's.
  private static let backups = [
    holding(["app roots"], where: { $0.backup.roots.value != nil }) { profile, span in
      let roots = profile.backup.roots.value ?? []
      return "From iOS \(span.first) on, a backup contains only \(roots.inWords)"
    },
    holding(["app roots"], where: { $0.backup.roots.value == nil }) { profile, span in
      "Up to iOS \(span.last), a backup contains everything except the bundle, "
        + profile.backup.locations.inWords
    },
    holding(["app locations", "appExtension locations"]) { profile, _ in
      "\(profile.backup.locations.inWords) are out"
    },
    holding(["app system's own", "appExtension system's own"]) { profile, _ in
      "These are out too: \(profile.backup.systemManaged.inWords)"
    },
    holding(
      ["app remnants", "appExtension remnants"],
      where: { $0.backup.remnants.value == SystemProfile.RemnantPattern.allCases }
    ) { _, _ in
      "These regular files are out: a file whose name begins with `.dat.nosync`; a file whose name "
        + "ends with `.plist.` and seven characters; a `.dat` file whose path contains "
        + "`binarycookies_tmp`"
    },
    holding(
      ["app databases", "appExtension databases"],
      where: { $0.backup.storesDatabasesWhole.value }
    ) { _, _ in
      "A backup contains a readable SQLite database with the contents of its `-wal`, but no "
        + "`-wal`, `-shm` and `-journal`"
    },
    holding(["app skipped length", "appExtension skipped length", "appGroup skipped length"]) {
      profile, _ in
      "An item is out if its absolute path has \(profile.backup.skippedPathLength.value) bytes or "
        + "more"
    },
    holding(["app own length", "appExtension own length", "appGroup own length"]) { profile, _ in
      let lengths = SystemProfile.ContainerKind.allCases.map {
        "\(profile.backupPolicy(for: $0).containerPathLength.value)"
      }
      return
        "This limit includes the path of the container on a device: "
        + "\(lengths[0]) bytes for an app, \(lengths[1]) for an extension, \(lengths[2]) for a group"
    },
    holding(["bundle"], where: \.bundleIsInContainer.value) { _, span in
      "Up to iOS \(span.last), the bundle is inside the container"
    },
    holding(["bundle"], where: { !$0.bundleIsInContainer.value }) { _, span in
      "From iOS \(span.first) on, the bundle is outside the container"
    },
  ]

  /// What a backup holds of an app's other containers.
  private static let otherContainers = [
    holding(["appExtension roots"], where: { $0.extensionBackup.roots.value != nil }) { _, span in
      "From iOS \(span.first) on, a backup contains only Documents, Library and GeoJSON of an "
        + "extension's container"
    },
    holding(["appExtension roots"], where: { $0.extensionBackup.roots.value == nil }) { _, span in
      "Up to iOS \(span.last), a backup contains everything in an extension's container except "
        + "Library/Caches and tmp"
    },
    holding(
      ["roots", "locations", "system's own", "remnants", "databases"].map { "appGroup \($0)" },
      where: { $0.groupBackup.roots.value == nil }
    ) { profile, _ in
      let policy = profile.groupBackup
      let places = (policy.locations + policy.systemManaged).inWords
      return "A backup contains everything in a group container except \(places)"
    },
  ]

  /// A statement on what a backup holds.
  private static func holding(
    _ entries: [String], where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ words: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What a backup holds", entries, where: holds, words)
  }
}

extension ProfileStatement {
  fileprivate static let purges = [
    taking("idle") { profile, _ in
      "iOS may empty \(profile.purge.idle.value.inWords) at any time while the app does not run"
    },
    taking("low storage") { profile, _ in
      "If storage is low, iOS purges \(profile.purge.lowStorage.value.inWords)"
    },
    taking("critical storage") { profile, _ in
      let places = profile.purge.criticalStorage.value
        .filter { !profile.purge.lowStorage.value.contains($0) }
      return "iOS purges \(places.inWords) only if storage is critically low"
    },
    taking("unit", where: { $0.purge.unit.value == .wholeDirectory }) { _, span in
      "From iOS \(span.first) on, a purge deletes whole directories"
    },
    taking("unit", where: { $0.purge.unit.value == .singleFiles }) { _, span in
      "Up to iOS \(span.last), a purge deletes single files and keeps directories"
    },
    taking(
      "spared",
      where: { !$0.purge.sparesMarked.value && $0.purge.unit.value == .wholeDirectory }
    ) { _, span in
      "From iOS \(span.first) on, a purge also deletes marked files"
    },
    taking("spared", where: \.purge.sparesMarked.value) { _, span in
      "From iOS \(span.first) to \(span.last), a purge keeps marked files and all files in "
        + "a marked directory"
    },
    taking(
      "spared", where: { !$0.purge.sparesMarked.value && $0.purge.unit.value == .singleFiles }
    ) { _, span in
      "Up to iOS \(span.last), a purge also deletes marked files"
    },
    taking("web views", where: { !$0.webViewStorage.value.isEmpty }) { profile, span in
      "From iOS \(span.first) on, WebKit or iOS may delete what web views keep in "
        + "\(profile.webViewStorage.value.inWords), for example if storage is low. The kit does not "
        + "simulate this"
    },
  ]

  /// What a purge takes of a group container.
  fileprivate static let groupPurges = [
    takingOfGroup(["idle"]) { profile, _ in
      "iOS may empty a group's \(profile.groupPurge.idle.value.inWords) at any time while the app "
        + "does not run"
    },
    takingOfGroup(["low storage", "critical storage"]) { profile, _ in
      "If storage is low or critically low, iOS purges only "
        + "\(profile.groupPurge.lowStorage.value.inWords) in a group container"
    },
    takingOfGroup(
      ["unit", "spared"], where: { $0.groupPurge.unit.value == .wholeDirectory }
    ) { _, span in
      "From iOS \(span.first) on, a purge deletes a group's whole Library/Caches, with marked files"
    },
    takingOfGroup(["unit", "spared"], where: \.groupPurge.sparesMarked.value) { _, span in
      "From iOS \(span.first) to \(span.last), a purge deletes single files of a group, but "
        + "no marked files"
    },
    takingOfGroup(
      ["unit", "spared"],
      where: {
        !$0.groupPurge.sparesMarked.value && $0.groupPurge.unit.value == .singleFiles
      }
    ) { _, span in
      "Up to iOS \(span.last), a purge deletes single files of a group, marked or not"
    },
  ]

  /// A statement on what a purge takes of a group container.
  private static func takingOfGroup(
    _ entries: [String], where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ words: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement(
      "What a purge takes", entries.map { "group \($0)" }, where: holds, words)
  }

  /// A statement on what a purge takes.
  private static func taking(
    _ entry: String, where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ words: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What a purge takes", [entry], where: holds, words)
  }

  /// What an update and a restore do, and what a new container has.
  fileprivate static let lives = [
    living("carried over") { profile, _ in
      "An update keeps \(profile.update.carriedOver.value.inWords); other items may be missing"
    },
    living("may be lost") { profile, _ in
      "\(profile.update.mayBeLost.value.inWords) may be empty after an update"
    },
    living("unrestored") { profile, _ in
      "\(profile.update.neverRestored.value.inWords) are not restored"
    },
    living("group kept") { _, _ in
      "An update of the app keeps group containers unchanged"
    },
    living("kept offloaded") { profile, _ in
      "An offload and a reinstall keep \(profile.offload.kept.value.inWords)"
    },
    living("lost offloaded") { profile, _ in
      "After an offload and a reinstall, \(profile.offload.lost.value.inWords) is empty"
    },
    living("keychain after deletion") { profile, _ in
      "If an app is deleted and installed again, its keychain items "
        + presence(profile.keychain.outlivesDeletion.value)
    },
    living("keychain after restore") { profile, _ in
      "After a restore to the same device, all keychain items "
        + "\(presence(profile.keychain.outlivesRestore.value)), with any kind of backup"
    },
    living("keychain elsewhere") { profile, _ in
      "After a restore or a transfer to another device, items for this device only "
        + presence(profile.keychain.reachesNewDevice.value)
    },
    living("ordinary items elsewhere") { profile, _ in
      let kinds = profile.keychain.bringingOrdinaryItems.value.map(\.rawValue)
      return "Only these kinds of backup bring ordinary items to another device: "
        + kinds.joined(separator: ", ")
    },
    living("usual protection") { profile, _ in
      switch profile.lock.defaultProtection.value {
      case .complete:
        "A file for which the app asks for no protection can be read only while the device is unlocked"
      case .untilFirstUnlock:
        "A file for which the app asks for no protection can be read from the first unlock after a "
          + "restart"
      case .none: "A file for which the app asks for no protection can always be read"
      }
    },
    living("hidden defaults") { profile, _ in
      profile.lock.hidesUserDefaults.value
        ? "User defaults read as empty before the first unlock"
        : "User defaults can be read before the first unlock"
    },
    living("transfer") { profile, _ in
      "A transfer from device to device follows the rules of a backup to "
        + (profile.transfer.value == .local ? "a computer" : "iCloud")
    },
    living { _, _ in
      let places = FileTree.Layout.newlyInstalled.directories
      return "A new container has \(places.inWords), but not Library/Application Support"
    },
    living { _, _ in
      let places = FileTree.Layout.newGroup.directories
      return
        "A new group container has only \(places.inWords). A restore adds the other items of the "
        + "backup"
    },
  ]

  /// Whether something is there, in words.
  private static func presence(_ isThere: Bool) -> String {
    isThere ? "still exist" : "are missing"
  }

  /// A statement on what an update and a restore do.
  private static func living(
    _ entries: String..., words: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What an update and a restore do", entries, words)
  }
}
