import TestSupport

/// A folder with scenario files for one test, and with a place for its golden files.
struct ScenarioSandbox {
  /// A scenario that passes without a golden file.
  static let right = """
    { title: 'Right', golden: { compare: false }, steps: [{ backup: 'one' }] }
    """

  /// The folder with the scenarios and the golden files.
  let folder: TestFolder

  /// Writes scenario files, by their paths below `Scenarios`.
  init(_ files: [String: String]) throws {
    folder = try TestFolder()
    try folder.makeFolder("Scenarios")
    for (path, text) in files { try folder.write(text, to: "Scenarios/\(path)") }
  }

  var scenarios: String { folder.path + "/Scenarios" }

  /// The folder for golden files.
  var goldens: String { folder.path + "/Golden" }

  /// The path of a test's file in the folder.
  var testFile: String { folder.path + "/Tests.swift" }
}
