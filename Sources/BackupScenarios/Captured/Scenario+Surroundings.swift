import BackupContainer
import BackupDiagnostics
import BackupFileTree
import Foundation

extension Scenario {
  /// Where a file or folder is that the scenario names beside its steps: in the folder that holds the
  /// scenario folder, never out of it, and through no link.
  func url(of name: String, _ kind: FileKind) throws(StepFailure) -> URL {
    let base = surroundings
    var url = base
    for component in name.split(separator: "/") {
      url.appendPathComponent(String(component))
      switch FileKind(at: url.path, followingLinks: false) {
      case nil:
        throw StepFailure(
          "there is no '\(name.shown)' in \(base.path), the folder that contains the scenario "
            + "folder",
          canBeExpected: false)
      case .link:
        throw StepFailure(
          "'\(name.shown)' leads through the link \(url.path), and links are not followed here; "
            + "name the link's destination, or copy it into this place", canBeExpected: false)
      default: continue
      }
    }
    guard FileKind(at: url.path, followingLinks: false) == kind else {
      throw StepFailure("\(url.path): expected \(kind.inWords)", canBeExpected: false)
    }
    return url
  }

  /// The folder that holds the scenario folder.
  var surroundings: URL {
    URL(fileURLWithPath: folder.isEmpty ? "." : folder).standardizedFileURL
      .deletingLastPathComponent()
  }
}

extension Form where Value == String {
  /// A path from the folder that holds the scenario folder, never out of it.
  static func besideScenarios(_ what: String) -> Form {
    let expected = "the path of \(what), relative to the folder that contains the scenario folder"
    let advice =
      "write a path relative to the folder that contains the scenario folder, such as 'Fixtures/v1'"
    return Form<ContainerPath>.relativePath(expected, advice: advice).map { path, _ in path.string }
  }
}

extension Form where Value == Scenario.Start {
  /// `{ container: "Fixtures/v1", marks: "Fixtures/v1.list" }`.
  static var start: Form {
    let container = Field(
      "container", .besideScenarios("a container's folder"), default: .required,
      "A folder with a container: a simulator's, an .xcappdata, or a copy of one. Its path is "
        + "relative to the folder that contains the scenario folder.", examples: ["Fixtures/v1"])
    let marks = Field(
      "marks", .besideScenarios("a list of a container's items"),
      default: .inWords(
        "Documents/container.list in the container; needed if no item has a mark"),
      "The list of the container's items, which restores the marks that a copy has lost. If no "
        + "item was marked, only its first line is needed.",
      examples: ["Fixtures/v1.list"])
    return .object("{ container: \"Fixtures/v1\" }", [container, marks]) { object in
      guard let path = object[container], !object.isMistaken(marks) else { return nil }
      return Scenario.Start(
        container: path, marks: object[marks], position: object.reader.position)
    }
  }
}
