import BackupDevice

extension RequirementCatalogue {
  /// How an app marks what is to stay out of backups.
  static let mark = markSetting + markKeeping + markPlacing

  /// Setting and clearing it.
  private static let markSetting = [
    Scenario.Requirement(
      "mark.exists-before-set",
      "Only an item that is there can be marked; otherwise it is an error.",
      .documented, [.eidinger, .appleQA1719]),
    Scenario.Requirement(
      "mark.reapply-on-save", "An app sets the mark anew every time it has saved the item.",
      .documented, [.appleOptimizing, .eidinger]),
    Scenario.Requirement(
      "mark.can-be-cleared", "An item whose mark is cleared is in the next backup again.",
      .documented, [.appleResourceValue]),
    Scenario.Requirement(
      "mark.legacy-attribute-deprecated",
      "From iOS 5.1 on, the attribute of 5.0.1 is the old way, and the resource value the right one.",
      .documented, [.appleQA1719]),
  ]

  /// What keeps and what loses it.
  private static let markKeeping = [
    Scenario.Requirement(
      "mark.lost-on-replace",
      "The item that takes a marked one's place, by a replacing save or made anew, has no mark.",
      .source, [.swiftFoundation]),
    Scenario.Requirement(
      "mark.kept-in-place", "Writing into an item leaves its mark, though nobody promises it.",
      .source, [.swiftFoundation, .appleCopyfile]),
    Scenario.Requirement(
      "mark.kept-on-move", "An item takes its mark along when it is moved, wherever it goes.",
      .measured, [.swiftFoundation, .appleCopyfile]),
    Scenario.Requirement(
      "mark.kept-on-copy", "A copy has the mark of what it was copied from, wanted or not.",
      .source, [.swiftFoundation, .appleCopyfile]),
  ]

  /// What gets one.
  private static let markPlacing = [
    Scenario.Requirement(
      "mark.own-directories-only",
      "An app marks directories that it made, never those the system gave it.",
      .documented, [.appleQA1719]),
    Scenario.Requirement(
      "mark.not-on-user-documents",
      "What the user made is not marked: everyday operations drop the mark, and with it a restore "
        + "loses the work.",
      .documented, [.appleResourceValue, .eidinger]),
    Scenario.Requirement(
      "mark.group-by-directory",
      "Files that belong together share one marked directory instead of a mark each.",
      .documented, [.appleOptimizing, .appleQA1719]),
    // Nothing worse than advice comes of a name, so here advice is what breaks it.
    Scenario.Requirement(
      "mark.directory-named-for-bundle",
      "A directory that the app makes right in Library has the bundle identifier in its name.",
      .documented, [.appleOptimizing, .eidinger],
      breach: .finding(atLeast: .advice)),
  ]
}
