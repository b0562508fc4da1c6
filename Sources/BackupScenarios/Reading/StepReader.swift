import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// Reads one step: the value of its keyword and the keys beside it.
struct StepReader {
  /// The step's object.
  private(set) var object: ObjectReader
  /// The value of the keyword.
  let subject: LocatedValue

  /// Where the mistakes go.
  var collector: DiagnosticCollector { object.collector }

  /// A step whose keyword is known.
  init(object: ObjectReader, subject: LocatedValue) {
    self.object = object
    self.subject = subject
  }

  /// The keyword's value as a path.
  func subjectPath() -> ContainerPath? { subject.path(collector) }

  /// Requires that the keyword's value is an empty object.
  func requireEmptySubject() {
    guard let reader = ObjectReader(subject, expected: "{}", collector) else { return }
    for key in reader.keys {
      collector.error("'\(key.shown)' is not known here; expected {}", at: reader.keyPosition(key))
    }
  }

  /// The value of a key beside the keyword.
  mutating func optional(_ key: String) -> LocatedValue? { object.optional(key) }

  /// A path that must stand beside the keyword.
  mutating func requiredPath(_ key: String) -> ContainerPath? {
    object.required(key, "a path in the container")?.path(collector)
  }

  /// A boolean beside the keyword.
  mutating func boolean(_ key: String, default value: Bool) -> Bool {
    object.optional(key)?.boolean(collector) ?? value
  }

  /// A word beside the keyword.
  mutating func word<Value: RawRepresentable & CaseIterable>(
    _ key: String, default value: Value
  ) -> Value where Value.RawValue == String {
    object.optional(key)?.word(of: Value.self, collector) ?? value
  }

  /// `size` or `contents` beside the keyword: exactly one of them, unless both may be missing.
  mutating func contents(isRequired: Bool = true) -> FileOperation.Contents? {
    let size = object.optional("size")
    let contents = object.optional("contents")
    if let size, contents != nil {
      collector.error("both 'size' and 'contents' stand here; keep one", at: size.position)
    }
    if let size { return size.byteSize(collector).map(FileOperation.Contents.zeros) }
    if let contents { return contents.string("text", collector).map(FileOperation.Contents.text) }
    if isRequired {
      collector.error(
        "how much is saved? Add 'size', such as \"10 KB\", or 'contents', a text",
        at: object.position)
    }
    return nil
  }

  /// Which mark `using` names.
  mutating func mark() -> ExclusionMark {
    let words = ExclusionMark.all.map { ($0.description, $0) }
    return object.optional("using")?.word(words, collector) ?? .resourceValue
  }

  /// Notes a mistake where a step that is not the app's says how it has to fail.
  mutating func refuseExpectedFailure() -> ExpectedFailure? {
    guard let value = object.optional("throws") else { return nil }
    collector.error("'throws' is for steps of the app; this one cannot fail", at: value.position)
    return nil
  }

  /// How the step has to fail.
  mutating func expectedFailure() -> ExpectedFailure? {
    guard let value = object.optional("throws") else { return nil }
    if case .bool(let isExpected) = value.kind { return isExpected ? .any : nil }
    let words = ExpectedFailure.codes.map { ($0.name, ExpectedFailure.code($0)) }
    return value.word(words, collector)
  }
}
