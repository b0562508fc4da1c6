/// `include: PATH`: clears a mark; `using` names which.
struct IncludeStep: MarkingStep {
  static let keyword = "include"
  static let isSetting = false

  /// The item and the mark.
  let target: MarkTarget
}
