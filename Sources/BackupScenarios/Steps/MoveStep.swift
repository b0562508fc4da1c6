import BackupFileTree

extension StepKind {
  static let move: StepKind = {
    let path = Field<ContainerPath>("move", .path, default: .required, "The item to move.")
    let destination = Field<ContainerPath>("to", .path, default: .required, "The item's new path.")
    let over = Field(
      "over", .boolean, default: .value(false),
      "true: the moved item replaces the item at the new path. false: the step fails if an item "
        + "exists at the new path.")
    return StepKind(
      .move, path, "The app moves an item. The item keeps its marks.",
      examples: [["move": "tmp/draft.txt", "to": "Documents/letter.txt"]],
      beside: [destination, over, Field.skipsIfMissing, Field.skipsIfExists]
    ) { step in
      guard let path = step[path], let destination = step[destination],
        let isReplacing = step[over], let changeOptions = step.changeOptions
      else { return nil }
      return .app(
        .change(
          .move(path, to: destination, replacing: isReplacing), changeOptions))
    }
  }()
}
