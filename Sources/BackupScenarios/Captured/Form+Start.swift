extension Form where Value == Scenario.Start {
  /// `{ container: "Fixtures/v1", marks: "Fixtures/v1.list" }`.
  static var start: Form {
    let container = Field(
      "container", .besideScenarios("a container's folder"), default: .required,
      "A folder with a container: a simulator's, an .xcappdata, or a copy of one. Its path begins at "
        + "the folder that holds the scenario folder.", examples: ["Fixtures/v1"])
    let marks = Field(
      "marks", .besideScenarios("a list of a container's items"),
      default: .inWords(
        "Documents/container.list in the container; needed where no item has a mark"),
      "The list of the container's items, from which the marks are taken that a copy has lost. Where "
        + "none was marked, it may be of its first line alone.",
      examples: ["Fixtures/v1.list"])
    return .object("{ container: \"Fixtures/v1\" }", [container, marks]) { object in
      guard let path = object[container], !object.isMistaken(marks) else { return nil }
      return Scenario.Start(
        container: path, marks: object[marks], position: object.reader.position)
    }
  }
}
