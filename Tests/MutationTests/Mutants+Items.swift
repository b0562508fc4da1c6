import BackupFileTree

@testable import BackupDevice

extension Mutant {
  /// Wrong decisions on items that a backup leaves out because of their names or kinds.
  static let items: [Mutant] =
    remnants + databaseSiblings + [
      .backup("remnant's name counts for directories", near: ["names/"]) { decision, _ in
        guard case .directory = decision.kind, decision.isIncluded,
          SystemProfile.RemnantPattern.allCases.contains(where: { $0.matches(decision.path) })
        else { return decision }
        return decision.leftOut(.saveRemnant)
      },
      .backup("remnant's name may begin elsewhere", near: ["names/"]) { decision, _ in
        decision.isIncluded && decision.path.name.string.contains(".dat.nosync")
          ? decision.leftOut(.saveRemnant) : decision
      },
      .backup("remnant of a property list may end in any way", near: ["names/"]) { decision, _ in
        decision.isIncluded && decision.path.name.string.contains(".plist.")
          ? decision.leftOut(.saveRemnant) : decision
      },
      .backup("cookie remnant in any place", near: ["names/cookie-remnants"]) { decision, _ in
        decision.isIncluded && decision.path.name.string.hasSuffix(".dat")
          ? decision.leftOut(.saveRemnant) : decision
      },
      .profile("database siblings stored on their own", near: ["names/", "directories/"]) {
        $0.backup.storesDatabasesWhole.value = false
      },
      .backup(
        "database sibling beside no database", near: ["directories/journal-of-a-marked-index"]
      ) { decision, _ in
        guard decision.isIncluded, let name = decision.path.name.databaseName,
          let database = decision.path.parent?.appending(name)
        else { return decision }
        return decision.leftOut(.databaseSibling(of: database))
      },
      .profile("no path is too long", near: ["names/path-too-long"]) {
        $0.backup.skippedPathLength.value = .max
      },
      .profile("path of 998 bytes taken", near: ["names/path-too-long"]) {
        $0.backup.skippedPathLength.value += 1
      },
      .profile("path of 997 bytes skipped", near: ["names/path-too-long"]) {
        $0.backup.skippedPathLength.value -= 1
      },
      .profile("container's own path not counted", near: ["names/path-too-long"]) {
        $0.backup.containerPathLength.value = 0
      },
      .backup("link followed", near: ["backups/link-stored-as-link"]) { decision, _ in
        guard decision.kind == .link, decision.isIncluded else { return decision }
        return BackupSet.Decision(
          path: decision.path, kind: .file(size: 0), verdict: decision.verdict)
      },
      .backup("link left out", near: ["backups/link-stored-as-link"]) { decision, _ in
        decision.kind == .link && decision.isIncluded ? decision.leftOut(.specialFile) : decision
      },
      .backup("empty directory not stored", near: ["directories/"]) { decision, _ in
        decision.kind == .directory(isEmpty: true) && decision.isIncluded ? nil : decision
      },
      .backup("parent directory is no item", near: ["backups/every-parent-is-an-item"]) {
        decision, _ in
        decision.kind == .directory(isEmpty: false) && decision.isIncluded ? nil : decision
      },
      .backup("size of a file lost") { decision, _ in
        guard decision.size != nil else { return decision }
        return BackupSet.Decision(
          path: decision.path, kind: .file(size: 0), verdict: decision.verdict)
      },
    ]

  /// A mutant for each pattern of remnants, which does not know the pattern.
  private static let remnants = SystemProfile.RemnantPattern.allCases.map { pattern in
    Mutant.profile("\(pattern) remnant backed up", near: ["names/save-remnants", "names/cookie"]) {
      $0.backup.remnants.value.removeAll { $0 == pattern }
    }
  }

  /// A mutant for each kind of file beside a database, which the backup includes as a separate
  /// file.
  private static let databaseSiblings = ["-wal", "-shm", "-journal"].map { suffix in
    Mutant.backup("\(suffix) stored beside its database", near: ["names/", "directories/"]) {
      decision, _ in
      guard case .databaseSibling = decision.reason, decision.path.name.string.hasSuffix(suffix)
      else { return decision }
      return decision.included
    }
  }
}
