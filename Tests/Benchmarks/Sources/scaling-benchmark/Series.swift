import Foundation

/// One thing that is done again and again, to see how its cost grows.
struct Series: Sendable {
  enum Work: Sendable {
    /// The scenarios of a template.
    case template(SeriesTemplate)
    /// Code in the container of a test.
    case session
  }

  /// What the table calls it.
  let name: String
  let work: Work
  /// For which n it is measured; nil for the usual.
  var sizes: [Int]?
  /// What the largest of the usual sizes may take.
  var limit: SeriesLimit?
  /// The most allocations for each of n; nil for any number.
  var mostAllocations: Double?

  init(_ template: SeriesTemplate) {
    name = template.name
    work = .template(template)
    sizes = template.sizes
    limit = template.limit
    mostAllocations = template.mostAllocations
  }

  /// The series that is no scenario.
  private init() {
    name = "session"
    work = .session
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Series")

  /// Every series: a file in the folder `Series` is one more.
  static func all() throws -> [Series] {
    try SeriesTemplate.all(in: folder).map(Series.init) + [Series()]
  }

  /// The same with next to nothing to do, whose cost is that of the start and the end.
  func empty() throws(SeriesMistake) -> Series {
    guard case .template(let template) = work else { return self }
    let step = template.performs ? "{ perform: 'save', with: { path: 'Documents/a' } }" : ""
    let text = "{ title: 'Next to nothing happens', steps: [\(step)] }"
    return Series(try SeriesTemplate(name: "empty", text: text))
  }
}
