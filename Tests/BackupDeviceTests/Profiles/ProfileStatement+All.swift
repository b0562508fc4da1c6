import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ProfileStatement {
  /// All rows of the article WhatIOSDoes that state facts from profiles, layouts or kinds of
  /// backup.
  static let all =
    markStatements + backupStatements + otherContainerStatements + purgeStatements
    + groupPurgeStatements + lifecycleStatements

  private static let markStatements = [
    ProfileStatement("The mark") { _, _ in
      let kinds = SystemProfile.BackupKind.allCases.filter { $0 != .off }.map(\.rawValue)
        .joinedInWords
      return "A mark has the same effect in every kind of backup: \(kinds)"
    }
  ]

  /// Rows on backups of the containers of an app and an extension.
  private static let backupStatements = [
    backupStatement(["app roots"], where: { $0.backup.roots.value != nil }) { profile, span in
      let roots = profile.backup.roots.value ?? []
      return "From iOS \(span.first) on, a backup contains only \(roots.inWords)"
    },
    backupStatement(["app roots"], where: { $0.backup.roots.value == nil }) { profile, span in
      "Up to iOS \(span.last), a backup contains everything except the bundle, "
        + profile.backup.locations.inWords
    },
    backupStatement(["app locations", "appExtension locations"]) { profile, _ in
      "\(profile.backup.locations.inWords) are out"
    },
    backupStatement(["app system's own", "appExtension system's own"]) { profile, _ in
      "These are out too: \(profile.backup.systemManaged.inWords)"
    },
    backupStatement(
      ["app remnants", "appExtension remnants"],
      where: { $0.backup.remnants.value == SystemProfile.RemnantPattern.allCases }
    ) { _, _ in
      "These regular files are out: a file whose name begins with `.dat.nosync`; a file whose name "
        + "ends with `.plist.` and seven characters; a `.dat` file whose path contains "
        + "`binarycookies_tmp`"
    },
    backupStatement(
      ["app databases", "appExtension databases"],
      where: { $0.backup.storesDatabasesWhole.value }
    ) { _, _ in
      "A backup contains a readable SQLite database with the contents of its `-wal`, but no "
        + "`-wal`, `-shm` and `-journal`"
    },
    backupStatement([
      "app skipped length", "appExtension skipped length", "appGroup skipped length",
    ]) {
      profile, _ in
      "An item is out if its absolute path has \(profile.backup.skippedPathLength.value) bytes or "
        + "more"
    },
    backupStatement(["app own length", "appExtension own length", "appGroup own length"]) {
      profile, _ in
      let lengths = SystemProfile.ContainerKind.allCases.map {
        "\(profile.backupPolicy(for: $0).containerPathLength.value)"
      }
      return
        "This limit includes the path of the container on a device: "
        + "\(lengths[0]) bytes for an app, \(lengths[1]) for an extension, \(lengths[2]) for a group"
    },
    backupStatement(["bundle"], where: \.bundleIsInContainer.value) { _, span in
      "Up to iOS \(span.last), the bundle is inside the container"
    },
    backupStatement(["bundle"], where: { !$0.bundleIsInContainer.value }) { _, span in
      "From iOS \(span.first) on, the bundle is outside the container"
    },
  ]

  /// Rows on backups of the containers of extensions and groups.
  private static let otherContainerStatements = [
    backupStatement(["appExtension roots"], where: { $0.extensionBackup.roots.value != nil }) {
      _, span in
      "From iOS \(span.first) on, a backup contains only Documents, Library and GeoJSON of an "
        + "extension's container"
    },
    backupStatement(["appExtension roots"], where: { $0.extensionBackup.roots.value == nil }) {
      _, span in
      "Up to iOS \(span.last), a backup contains everything in an extension's container except "
        + "Library/Caches and tmp"
    },
    backupStatement(
      ["roots", "locations", "system's own", "remnants", "databases"].map { "appGroup \($0)" },
      where: { $0.groupBackup.roots.value == nil }
    ) { profile, _ in
      let policy = profile.groupBackup
      let places = (policy.locations + policy.systemManaged).inWords
      return "A backup contains everything in a group container except \(places)"
    },
  ]

  /// Returns a row on backups.
  private static func backupStatement(
    _ entries: [String], where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ makeSentence: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What a backup holds", entries, where: holds, makeSentence)
  }
}

extension ProfileStatement {
  fileprivate static let purgeStatements = [
    purgeStatement("idle") { profile, _ in
      "iOS may empty \(profile.purge.idle.value.inWords) at any time while the app does not run"
    },
    purgeStatement("low storage") { profile, _ in
      "If storage is low, iOS purges \(profile.purge.lowStorage.value.inWords)"
    },
    purgeStatement("critical storage") { profile, _ in
      let places = profile.purge.criticalStorage.value
        .filter { !profile.purge.lowStorage.value.contains($0) }
      return "iOS purges \(places.inWords) only if storage is critically low"
    },
    purgeStatement("unit", where: { $0.purge.unit.value == .wholeDirectory }) { _, span in
      "From iOS \(span.first) on, a purge deletes whole directories"
    },
    purgeStatement("unit", where: { $0.purge.unit.value == .singleFiles }) { _, span in
      "Up to iOS \(span.last), a purge deletes single files and keeps directories"
    },
    purgeStatement(
      "spared",
      where: { !$0.purge.sparesMarked.value && $0.purge.unit.value == .wholeDirectory }
    ) { _, span in
      "From iOS \(span.first) on, a purge also deletes marked files"
    },
    purgeStatement("spared", where: \.purge.sparesMarked.value) { _, span in
      "From iOS \(span.first) to \(span.last), a purge keeps marked files and all files in "
        + "a marked directory"
    },
    purgeStatement(
      "spared", where: { !$0.purge.sparesMarked.value && $0.purge.unit.value == .singleFiles }
    ) { _, span in
      "Up to iOS \(span.last), a purge also deletes marked files"
    },
    purgeStatement("web views", where: { !$0.webViewStorage.value.isEmpty }) { profile, span in
      "From iOS \(span.first) on, WebKit or iOS may delete what web views keep in "
        + "\(profile.webViewStorage.value.inWords), for example if storage is low. The kit does not "
        + "simulate this"
    },
  ]

  /// Rows on purges of a group container.
  fileprivate static let groupPurgeStatements = [
    groupPurgeStatement(["idle"]) { profile, _ in
      "iOS may empty a group's \(profile.groupPurge.idle.value.inWords) at any time while the app "
        + "does not run"
    },
    groupPurgeStatement(["low storage", "critical storage"]) { profile, _ in
      "If storage is low or critically low, iOS purges only "
        + "\(profile.groupPurge.lowStorage.value.inWords) in a group container"
    },
    groupPurgeStatement(
      ["unit", "spared"], where: { $0.groupPurge.unit.value == .wholeDirectory }
    ) { _, span in
      "From iOS \(span.first) on, a purge deletes a group's whole Library/Caches, with marked files"
    },
    groupPurgeStatement(["unit", "spared"], where: \.groupPurge.sparesMarked.value) { _, span in
      "From iOS \(span.first) to \(span.last), a purge deletes single files of a group, but "
        + "no marked files"
    },
    groupPurgeStatement(
      ["unit", "spared"],
      where: {
        !$0.groupPurge.sparesMarked.value && $0.groupPurge.unit.value == .singleFiles
      }
    ) { _, span in
      "Up to iOS \(span.last), a purge deletes single files of a group, marked or not"
    },
  ]

  /// Returns a row on purges of a group container.
  private static func groupPurgeStatement(
    _ entries: [String], where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ makeSentence: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement(
      "What a purge takes", entries.map { "group \($0)" }, where: holds, makeSentence)
  }

  /// Returns a row on purges.
  private static func purgeStatement(
    _ entry: String, where holds: @escaping @Sendable (SystemProfile) -> Bool = { _ in true },
    _ makeSentence: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What a purge takes", [entry], where: holds, makeSentence)
  }

  /// Rows on updates, restores and the layout of a new container.
  fileprivate static let lifecycleStatements = [
    lifecycleStatement("carried over") { profile, _ in
      "An update keeps \(profile.update.carriedOver.value.inWords); other items may be missing"
    },
    lifecycleStatement("may be lost") { profile, _ in
      "\(profile.update.mayBeLost.value.inWords) may be empty after an update"
    },
    lifecycleStatement("unrestored") { profile, _ in
      "\(profile.update.neverRestored.value.inWords) are not restored"
    },
    lifecycleStatement("group kept") { _, _ in
      "An update of the app keeps group containers unchanged"
    },
    lifecycleStatement("kept offloaded") { profile, _ in
      "An offload and a reinstall keep \(profile.offload.kept.value.inWords)"
    },
    lifecycleStatement("lost offloaded") { profile, _ in
      "After an offload and a reinstall, \(profile.offload.lost.value.inWords) is empty"
    },
    lifecycleStatement("keychain after deletion") { profile, _ in
      "If an app is deleted and installed again, its keychain items "
        + existence(profile.keychain.outlivesDeletion.value)
    },
    lifecycleStatement("keychain after restore") { profile, _ in
      "After a restore to the same device, all keychain items "
        + "\(existence(profile.keychain.outlivesRestore.value)), with any kind of backup"
    },
    lifecycleStatement("keychain elsewhere") { profile, _ in
      "After a restore or a transfer to another device, items for this device only "
        + existence(profile.keychain.reachesNewDevice.value)
    },
    lifecycleStatement("ordinary items elsewhere") { profile, _ in
      let kinds = profile.keychain.bringingOrdinaryItems.value.map(\.rawValue)
      return "Only these kinds of backup bring ordinary items to another device: "
        + kinds.joined(separator: ", ")
    },
    lifecycleStatement("usual protection") { profile, _ in
      switch profile.lock.defaultProtection.value {
      case .complete:
        "A file for which the app asks for no protection can be read only while the device is unlocked"
      case .untilFirstUnlock:
        "A file for which the app asks for no protection can be read from the first unlock after a "
          + "restart"
      case .none: "A file for which the app asks for no protection can always be read"
      }
    },
    lifecycleStatement("hidden defaults") { profile, _ in
      profile.lock.hidesUserDefaults.value
        ? "User defaults read as empty before the first unlock"
        : "User defaults can be read before the first unlock"
    },
    lifecycleStatement("transfer") { profile, _ in
      "A transfer from device to device follows the rules of a backup to "
        + (profile.transfer.value == .local ? "a computer" : "iCloud")
    },
    lifecycleStatement { _, _ in
      let places = FileTree.Layout.newlyInstalled.directories
      return "A new container has \(places.inWords), but not Library/Application Support"
    },
    lifecycleStatement { _, _ in
      let places = FileTree.Layout.newGroup.directories
      return
        "A new group container has only \(places.inWords). A restore adds the other items of the "
        + "backup"
    },
  ]

  private static func existence(_ exists: Bool) -> String {
    exists ? "still exist" : "are missing"
  }

  /// Returns a row on updates and restores.
  private static func lifecycleStatement(
    _ entries: String..., makeSentence: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What an update and a restore do", entries, makeSentence)
  }
}
