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
  /// The code of an action. It may be isolated to any actor. If it throws, the step fails, unless
  /// the step has the key `throws`.
  public typealias Code = @Sendable (ActionCall) async throws -> Void

  /// The code of each action, by the action's name.
  package private(set) var bindings: [String: (probesMarks: Bool, code: Code)] = [:]

  /// Creates a value without actions. Add actions with ``bind(_:probesMarks:_:)``.
  public init() {}

  /// Binds an action to code. This replaces an earlier binding of the same name.
  ///
  /// - Parameters:
  ///   - name: The name that scenarios use.
  ///   - probesMarks: A Boolean value that indicates whether the kit removes all marks while the
  ///     code runs. Afterwards, the kit restores the marks of items that the code did not save. So
  ///     the kit finds code that sets no mark, even if the operation happens to keep the mark. Pass
  ///     `false` if the code clears a mark with Foundation on an Apple platform, because the kit
  ///     cannot see this while the marks are removed. Also pass `false` if the code reads a mark to
  ///     make a decision.
  ///   - code: The app's code.
  public mutating func bind(_ name: String, probesMarks: Bool = true, _ code: @escaping Code) {
    bindings[name] = (probesMarks, code)
  }

  /// The names of the bound actions, sorted.
  public var names: [String] { bindings.keys.sorted() }

  /// Creates a value with actions that are bound by name. If a name appears twice, the last code
  /// counts.
  ///
  /// - Parameter elements: The names that scenarios use, each with its code. For each action,
  ///   `probesMarks` is true.
  public init(dictionaryLiteral elements: (String, Code)...) {
    for (name, code) in elements { bind(name, code) }
  }
}
