@testable import BackupDiagnostics
@testable import BackupJSON5
@testable import BackupScenarios

/// What the decoder refuses and a schema cannot; there is nothing else.
enum SchemaLimit: CaseIterable {
  /// A key that stands twice in one object: JSON Schema sees objects without their notation.
  case duplicateKey
  /// One version in two spellings, such as 5 and 5.0, in a list of distinct versions.
  case sameVersionTwice
  /// A version as a number in a notation that is no version: 5.10 equals 5.1 as a number.
  case notationOfVersion
  /// A size in text that is no whole number of bytes or too large: schemas do not multiply.
  case sizeInText
  /// A path, a name or the words of `run` too long in bytes of UTF-8: schemas count characters.
  case lengthInBytes
  /// An expectation's step that the scenario does not have: schemas do not relate values.
  case stepBeyondTheEnd
  /// An expectation's system or kind of backup that the scenario does not run under: the same.
  case variantNotRun
  /// The label of a backup that no step before its `restore` takes: the same.
  case labelNeverTaken
  /// A pattern of `files` that an earlier one leaves nothing to: schemas do not relate values.
  case patternNeverDecides
  /// A topmost directory that is nearly a standard one: schemas know no nearness.
  case misspeltTop

  /// Whether a mistake is of this kind.
  func explains(_ mistake: Scenario.Diagnostic, in document: LocatedValue) -> Bool {
    let message = mistake.message
    let value = document.value(at: mistake.position)
    return switch self {
    case .duplicateKey: message.hasSuffix("' stands here twice; keep one")
    case .sameVersionTwice: message == "this system stands here twice; keep one"
    case .notationOfVersion:
      message.hasPrefix("there is no profile of iOS '") && value?.isOfType("number") == true
    case .sizeInText:
      value?.isOfType("string") == true
        && (message.hasPrefix("the size ") && message.contains(" is out of range; ")
          || message.hasSuffix("' is no whole number of bytes"))
    case .lengthInBytes:
      message.hasSuffix(" bytes; at most 1024 fit") || message.hasSuffix(" bytes; at most 255 fit")
        || message.hasPrefix("at most 256 strings with 65536 bytes in all can stand here; ")
    case .stepBeyondTheEnd:
      message.hasPrefix("there is no step ") && message.contains("; the scenario has ")
        || message.hasPrefix("expected a step's number from 1 on")
          && value?.isOfType("string") == true
    case .variantNotRun: message.hasPrefix("the scenario does not run under ")
    case .labelNeverTaken:
      message.hasPrefix("no backup \"") && message.contains("\" is taken before this step; ")
    case .patternNeverDecides: message.hasSuffix("; put the narrower pattern first")
    case .misspeltTop: message.contains("' in a container; did you mean '")
    }
  }
}

extension LocatedValue {
  /// The innermost value that begins at a position.
  func value(at place: SourcePosition) -> LocatedValue? {
    let inner: [LocatedValue] =
      switch kind {
      case .array(let elements): elements
      case .object(let members): members.map(\.value)
      default: []
      }
    return inner.lazy.compactMap { $0.value(at: place) }.first ?? (position == place ? self : nil)
  }
}
