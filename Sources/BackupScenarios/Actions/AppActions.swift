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
  /// Code of an action, with any isolation. If it throws, its step fails, unless the step says
  /// `throws`.
  public typealias Code = @Sendable (ActionCall) async throws -> Void

  /// The actions by name. If `probesMarks` is true, all marks are off while the code runs.
  package private(set) var bindings: [String: (probesMarks: Bool, code: Code)] = [:]

  /// Creates an app whose actions are not yet bound to code.
  public init() {}

  /// Binds an action to code. This replaces an earlier binding of the same name.
  ///
  /// - Parameters:
  ///   - name: The name that scenarios use.
  ///   - probesMarks: A Boolean value that indicates whether the kit removes all marks while the
  ///     code runs, and then restores them on items that the code did not save. So the code cannot
  ///     pass because an operation happens to keep the mark. Pass `false` for code that clears a
  ///     mark with Foundation on an Apple platform, which the kit cannot see then, or code that
  ///     reads the mark of an item to decide something else.
  ///   - code: The app's code.
  public mutating func bind(_ name: String, probesMarks: Bool = true, _ code: @escaping Code) {
    bindings[name] = (probesMarks, code)
  }

  /// The names of the bound actions, sorted.
  public var names: [String] { bindings.keys.sorted() }

  /// Creates an app with actions that are bound by name. If a name appears twice, the last action counts.
  ///
  /// - Parameter elements: Names that scenarios use, each with its code; marks are probed for all.
  public init(dictionaryLiteral elements: (String, Code)...) {
    for (name, code) in elements { bind(name, code) }
  }
}
