import BackupFileTree

extension StepKind {
  static let exclude = marking(
    .exclude, to: true, "The item to mark.",
    "The app marks an item, so that backups exclude it.",
    example: "Library/Application Support/Movies/1.mp4")

  static let include = marking(
    .include, to: false, "The item whose mark is cleared.",
    "The app removes an item's mark. If the item has no mark, nothing changes.",
    example: "Documents/notes.txt")

  private static func marking(
    _ keyword: StepKeyword, to isSet: Bool, _ pathMeaning: String, _ meaning: String,
    example: String
  ) -> StepKind {
    let path = Field<ContainerPath>(keyword.rawValue, .path, default: .required, pathMeaning)
    let mark = Field<ExclusionMark>(
      "using", .mark, default: .value("resourceValue"),
      "resourceValue: the mark of iOS 5.1 and later. extendedAttribute: the mark of iOS 5.0.1.")
    return StepKind(
      keyword, path, meaning,
      examples: [.object([.init(key: keyword.rawValue, value: .text(example))])],
      beside: [mark, Field.skipsIfMissing]
    ) { step in
      guard let path = step[path], let mark = step[mark], let changeOptions = step.changeOptions
      else { return nil }
      return .app(.change(.setMark(mark, on: path, to: isSet), changeOptions))
    }
  }
}
