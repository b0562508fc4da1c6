/// `exclude: PATH`: sets a mark; `using` names which.
struct ExcludeStep: MarkingStep {
  static let keyword = "exclude"
  static let isSetting = true

  /// The item and the mark.
  let target: MarkTarget
}
