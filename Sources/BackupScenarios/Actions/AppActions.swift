/// The app's own code for the actions that scenarios name: `perform: "downloadMovie"`.
///
/// ```swift
/// var actions = AppActions()
/// actions.bind("downloadMovie") { action in
///   let id: Int = try action.argument("id")
///   try MovieStore(root: action.container.url).save(Data(count: 700), id: id)
/// }
/// ```
public struct AppActions: ExpressibleByDictionaryLiteral, Sendable {
  /// Code of any isolation that may throw: then its step fails, unless the step says `throws`.
  public typealias Code = @Sendable (ActionCall) async throws -> Void

  /// The actions by name: what a `perform` step runs, and whether marks are taken off meanwhile.
  package private(set) var bindings: [String: (probesMarks: Bool, code: Code)] = [:]

  /// An app none of whose actions is bound to code yet.
  public init() {}

  /// Binds an action; one of the same name is replaced.
  ///
  /// - Parameters:
  ///   - name: The name that scenarios use.
  ///   - probesMarks: Whether every mark is taken off while the code runs and put back on what it
  ///     did not save, so that it cannot pass by an operation that happens to keep the mark. Switch
  ///     it off for code that clears a mark with Foundation on an Apple platform, which cannot be
  ///     seen then, or that asks whether an item is marked to decide something else.
  ///   - code: The app's code.
  public mutating func bind(_ name: String, probesMarks: Bool = true, _ code: @escaping Code) {
    bindings[name] = (probesMarks, code)
  }

  /// The names that are bound, sorted.
  public var names: [String] { bindings.keys.sorted() }

  /// Binds actions by name; of two with one name the last stays.
  ///
  /// - Parameter elements: Names that scenarios use, each with its code; marks are probed for all.
  public init(dictionaryLiteral elements: (String, Code)...) {
    for (name, code) in elements { bind(name, code) }
  }
}
