import BackupDiagnostics

extension Scenario {
  /// The ids of the requirements on an app's files on iOS. A scenario's key `requirements` cites
  /// them.
  package static let requirementIDs = [
    "layout.standard-directories", "layout.application-support-absent",
    "layout.refused-places",
    "backup.documents", "backup.library", "backup.caches-left-out", "backup.tmp-left-out",
    "backup.bundle-left-out", "backup.locations-are-anchored", "backup.system-managed-left-out",
    "backup.group-container", "backup.extension-container", "backup.size",
    "backup.marked-file-left-out", "backup.marked-directory-left-out", "backup.marks-are-guidance",
    "backup.save-remnants-left-out", "backup.links-not-followed", "backup.empty-directories",
    "mark.exists-before-set", "mark.reapply-on-save", "mark.can-be-cleared",
    "mark.legacy-attribute-deprecated", "mark.lost-on-replace", "mark.kept-in-place",
    "mark.kept-on-move", "mark.kept-on-copy", "mark.own-directories-only",
    "mark.not-on-user-documents", "mark.group-by-directory", "mark.not-left-to-launch",
    "mark.directory-named-for-bundle", "database.moved-with-its-log",
    "era.5-0-no-mark", "era.5-0-1-attribute", "era.5-1-resource-value", "era.upgrade-honours-marks",
    "era.5-0-degrade-in-caches", "era.way-by-system",
    "purge.caches", "purge.tmp", "purge.idle", "purge.tmp-not-relied-on", "purge.group-caches",
    "purge.documents-kept", "purge.marked-kept", "purge.mark-protects-nothing-in-caches",
    "purge.all-or-nothing", "purge.not-while-running", "purge.web-view-storage",
    "update.carries-documents-and-library", "update.rest-not-promised",
    "update.container-path-changes", "update.exists-before-use",
    "restore.only-what-was-backed-up", "restore.exists-before-use", "restore.backup-switched-off",
    "restore.recreated-directory-needs-mark", "restore.keychain-item-checked",
    "restore.key-comes-with-file", "restore.device-value-set-again",
    "lock.readable-before-use", "lock.not-taken-for-missing",
    "class.critical", "class.support", "class.offline", "class.cached", "class.temporary",
    "class.secret", "class.documents-are-the-users", "class.nonpurgeable-not-in-caches",
    "class.only-critical-backed-up", "class.offline-deleted", "class.cached-deleted",
    "class.temporary-deleted",
  ]

  /// Returns the message for an unknown id, with the most similar known id; nil for a known id.
  static func objection(toRequirement id: String) -> String? {
    guard !requirementIDs.contains(id) else { return nil }
    let nearest = NearestWord.to(id, in: requirementIDs).map { "; did you mean '\($0)'?" } ?? ""
    return "unknown requirement '\(EscapedText.escape(String(id.prefix(60))))'\(nearest) "
      + "('backup-testing schema' lists them)"
  }
}
