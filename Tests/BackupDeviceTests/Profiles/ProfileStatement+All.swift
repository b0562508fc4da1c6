import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ProfileStatement {
  /// All rows of WhatIOSDoes that the profiles, the layouts and the kinds of backup say too.
  static let all = marks + backups + otherContainers + purges + groupPurges + lives

  /// What keeps to marks.
  private static let marks = [
    ProfileStatement("The mark") { _, _ in
      let kinds = SystemProfile.BackupKind.allCases.filter { $0 != .off }.map(\.rawValue)
        .joinedInWords
      return "Every kind of backup keeps to it alike: \(kinds)"
    }
  ]

  /// What a backup holds of the app's own container, and an extension's.
  private static let backups = [
    holding(["app roots"], where: { $0.backup.roots.value != nil }) { profile, span in
      let roots = profile.backup.roots.value ?? []
      return "From iOS \(span.first) on it begins at \(roots.inWords); what is beside them is out"
    },
    holding(["app roots"], where: { $0.backup.roots.value == nil }) { profile, span in
      "Up to iOS \(span.last) it holds everything but the bundle, "
        + profile.backup.locations.inWords
    },
    holding(["app locations", "appExtension locations"]) { profile, _ in
      "\(profile.backup.locations.inWords) are out"
    },
    holding(["app system's own", "appExtension system's own"]) { profile, _ in
      "Out too: \(profile.backup.systemManaged.inWords)"
    },
    holding(
      ["app remnants", "appExtension remnants"],
      where: { $0.backup.remnants.value == SystemProfile.RemnantPattern.allCases }
    ) { _, _ in
      "Out by name, regular files only: `.dat.nosync…`; a path that ends in `.plist.` and seven "
        + "characters; `.dat` with `binarycookies_tmp` in the path"
    },
    holding(
      ["app databases", "appExtension databases"],
      where: { $0.backup.storesDatabasesWhole.value }
    ) { _, _ in
      "`-wal`, `-shm` and `-journal` beside a readable SQLite database are stored with it, not on "
        + "their own"
    },
    holding(["app skipped length", "appExtension skipped length", "appGroup skipped length"]) {
      profile, _ in
      "Absolute paths of \(profile.backup.skippedPathLength.value) bytes and more are out"
    },
    holding(["app own length", "appExtension own length", "appGroup own length"]) { profile, _ in
      let lengths = SystemProfile.ContainerKind.allCases.map {
        "\(profile.backupPolicy(for: $0).containerPathLength.value)"
      }
      return "On a device the container's own path counts, with the `/` behind it: the app's has "
        + "\(lengths[0]) bytes, an extension's \(lengths[1]), a group's \(lengths[2])"
    },
    holding(["bundle"], where: \.bundleIsInContainer.value) { _, span in
      "Up to iOS \(span.last) the bundle is inside the container"
    },
    holding(["bundle"], where: { !$0.bundleIsInContainer.value }) { _, span in
      "From iOS \(span.first) on the bundle is elsewhere"
    },
  ]

  /// What a backup holds of an app's other containers.
  private static let otherContainers = [
    holding(["appExtension roots"], where: { $0.extensionBackup.roots.value != nil }) { _, span in
      "From iOS \(span.first) on an extension's container has a Documents and a Library of its "
        + "own, and the rules are the app's"
    },
    holding(["appExtension roots"], where: { $0.extensionBackup.roots.value == nil }) { _, span in
      "Up to iOS \(span.last) an extension's container is backed up by the app's rules too"
    },
    holding(
      ["roots", "locations", "system's own", "remnants", "databases"].map { "appGroup \($0)" },
      where: { $0.groupBackup.roots.value == nil }
    ) { profile, _ in
      let policy = profile.groupBackup
      let places = (policy.locations + policy.systemManaged).inWords
      return "Of a group container everything is in but \(places)"
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
  /// What a purge takes.
  fileprivate static let purges = [
    taking("idle") { profile, _ in
      "Whenever the app does not run, \(profile.purge.idle.value.inWords) may be emptied, with no "
        + "guarantee of when"
    },
    taking("low storage") { profile, _ in
      "Low storage takes \(profile.purge.lowStorage.value.inWords)"
    },
    taking("critical storage") { profile, _ in
      let places = profile.purge.criticalStorage.value
        .filter { !profile.purge.lowStorage.value.contains($0) }
      return "Only the highest urgency takes \(places.inWords)"
    },
    taking("unit", where: { $0.purge.unit.value == .wholeDirectory }) { _, span in
      "From iOS \(span.first) on the directory goes whole"
    },
    taking("unit", where: { $0.purge.unit.value == .singleFiles }) { _, span in
      "Up to iOS \(span.last) single files go, directories stay"
    },
    taking(
      "spared",
      where: { !$0.purge.sparesMarked.value && $0.purge.unit.value == .wholeDirectory }
    ) { _, span in
      "From iOS \(span.first) on a mark saves nothing there"
    },
    taking("spared", where: \.purge.sparesMarked.value) { _, span in
      "From iOS \(span.first) to \(span.last) marked files, and those below a marked directory, "
        + "stay"
    },
    taking(
      "spared", where: { !$0.purge.sparesMarked.value && $0.purge.unit.value == .singleFiles }
    ) { _, span in
      "Up to iOS \(span.last) a mark saves nothing there either"
    },
  ]

  /// What a purge takes of a group container.
  fileprivate static let groupPurges = [
    takingOfGroup(["idle"]) { profile, _ in
      "Whenever the app does not run, a group's \(profile.groupPurge.idle.value.inWords) may be "
        + "emptied too"
    },
    takingOfGroup(["low storage", "critical storage"]) { profile, _ in
      "Of a group container low storage takes \(profile.groupPurge.lowStorage.value.inWords), the "
        + "highest urgency no more"
    },
    takingOfGroup(
      ["unit", "spared"], where: { $0.groupPurge.unit.value == .wholeDirectory }
    ) { _, span in
      "From iOS \(span.first) on a group's goes whole too, and a mark saves nothing in it"
    },
    takingOfGroup(["unit", "spared"], where: \.groupPurge.sparesMarked.value) { _, span in
      "From iOS \(span.first) to \(span.last) single files of a group's go, marked ones stay"
    },
    takingOfGroup(
      ["unit", "spared"],
      where: {
        !$0.groupPurge.sparesMarked.value && $0.groupPurge.unit.value == .singleFiles
      }
    ) { _, span in
      "Up to iOS \(span.last) single files of a group's go, marked ones too"
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
      "An update carries \(profile.update.carriedOver.value.inWords) over; the rest may be gone"
    },
    living("may be lost") { profile, _ in
      "\(profile.update.mayBeLost.value.inWords) may be empty after an update, though it is in Library"
    },
    living("unrestored") { profile, _ in
      "\(profile.update.neverRestored.value.inWords) are not restored"
    },
    living("group kept") { _, _ in
      "An update of the app leaves group containers as they are"
    },
    living("kept offloaded") { profile, _ in
      "After an offload and a reinstall an app has \(profile.offload.kept.value.inWords) as they were"
    },
    living("lost offloaded") { profile, _ in
      "\(profile.offload.lost.value.inWords) is empty then"
    },
    living("keychain after deletion") { profile, _ in
      "A keychain item \(presence(profile.keychain.outlivesDeletion.value)) when a deleted app is "
        + "installed again"
    },
    living("keychain after restore") { profile, _ in
      "It \(presence(profile.keychain.outlivesRestore.value)) after a restore to the same device, "
        + "whatever kind the backup is of"
    },
    living("keychain elsewhere") { profile, _ in
      "One for this device only \(presence(profile.keychain.reachesNewDevice.value)) after a restore "
        + "or a transfer to another device"
    },
    living("ordinary items elsewhere") { profile, _ in
      let kinds = profile.keychain.bringingOrdinaryItems.value.map(\.rawValue)
      return "An ordinary one is there on another device after a restore of a backup of kind "
        + "\(kinds.joined(separator: ", ")), and of no other"
    },
    living("transfer") { profile, _ in
      "A transfer from device to device goes by the rules of a backup to "
        + (profile.transfer.value == .local ? "a computer" : "iCloud")
    },
    living { _, _ in
      let places = FileTree.Layout.newlyInstalled.directories
      return "A new container has \(places.inWords), not Library/Application Support"
    },
    living { _, _ in
      let places = FileTree.Layout.newGroup.directories
      return "A new group container has \(places.inWords) only; restored, it has what the backup "
        + "held beside it"
    },
  ]

  /// Whether something is there, in words.
  private static func presence(_ isThere: Bool) -> String { isThere ? "is there" : "is missing" }

  /// A statement on what an update and a restore do.
  private static func living(
    _ entries: String..., words: @escaping @Sendable (SystemProfile, Span) -> String
  ) -> ProfileStatement {
    ProfileStatement("What an update and a restore do", entries, words)
  }
}
