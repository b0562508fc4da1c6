import Foundation

/// A piece of work that is run with growing n, to see how its cost grows.
struct Series: Sendable {
  enum Work: Sendable {
    /// A run of the scenario that a template gives for n.
    case template(SeriesTemplate)
    /// A test without a scenario file, which calls `perform` n times.
    case session
  }

  let name: String
  let work: Work
  /// The values of n; nil for the default.
  var sizes: [Int]?
  /// The limit at n = 3000; nil for no limit.
  var limit: SeriesLimit?
  /// The largest allowed number of allocations divided by n; nil for no limit.
  var mostAllocations: Double?

  init(_ template: SeriesTemplate) {
    name = template.name
    work = .template(template)
    sizes = template.sizes
    limit = template.limit
    mostAllocations = template.mostAllocations
  }

  /// Creates the series that needs no template.
  private init() {
    name = "session"
    work = .session
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Series")

  /// Returns a series for each file in the folder `Series`, and the series `session`.
  static func all() throws -> [Series] {
    try SeriesTemplate.all(in: folder).map(Series.init) + [Series()]
  }

  /// Returns a series that does almost nothing. Its cost is that of starting and ending the
  /// process.
  func empty() throws(SeriesMistake) -> Series {
    guard case .template(let template) = work else { return self }
    let step = template.performs ? "{ perform: 'save', with: { path: 'Documents/a' } }" : ""
    let text = "{ title: 'Next to nothing happens', steps: [\(step)] }"
    return Series(try SeriesTemplate(name: "empty", text: text))
  }
}
