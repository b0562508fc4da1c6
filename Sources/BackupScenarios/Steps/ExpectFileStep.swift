import BackupDiagnostics
import BackupFileTree

/// `expectFile: { path, contents }`, `{ path, size }` or `{ path, sameAs: "label" }`: what a file
/// holds now.
struct ExpectFileStep: StepAction {
  typealias Expected = (path: ContainerPath, holding: Holding)

  enum Holding {
    case size(Int64)
    case bytes([UInt8])
    /// The bytes that it had in the backup of this label.
    case backup(String)
  }

  /// The keyword, with the file and what it has to hold.
  private static let expectedField = Field(
    "expectFile", .expected, default: .required, "The file, and one thing to say of it.")

  static let declaration = StepDeclaration(
    expectedField, by: .observer,
    "What a file must hold now: 'contents', 'size', or what it held in a backup.",
    examples: [
      ["expectFile": ["path": "Documents/notes.txt", "contents": "Buy milk"]],
      ["expectFile": ["path": "Documents/notes.txt", "sameAs": "at night"]],
    ])

  private let expected: Expected

  init?(reading step: ObjectReader) {
    guard let expected = step[Self.expectedField] else { return nil }
    self.expected = expected
  }

  var summary: String { "expectFile \(expected.path)" }

  var neededLabel: String? {
    if case .backup(let label) = expected.holding { label } else { nil }
  }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    let path = expected.path
    guard let item = try run.look()[path] else {
      throw StepFailure("expected the file '\(path)' to be there, but nothing is")
    }
    guard let size = item.size else {
      throw StepFailure("expected '\(path)' to be a file, but it is none")
    }
    switch expected.holding {
    case .size(let expected): try require(size, of: expected)
    case .bytes(let bytes):
      try require(size, of: Int64(bytes.count))
      let found = try run.bytes(of: path)
      let index = zip(found, bytes).enumerated().first { $0.1.0 != $0.1.1 }?.offset
      try requireNone(index.map(Int64.init), "the text")
    case .backup(let label):
      let shown = EscapedText.escape(label)
      guard let held = try run.size(of: path, inBackup: label) else {
        throw StepFailure("the backup \"\(shown)\" holds no file '\(path)' to compare with")
      }
      try require(size, of: held)
      try requireNone(
        try run.firstDifference(of: path, fromBackup: label), "the backup \"\(shown)\"")
    }
  }

  /// Requires that the file has as many bytes as it has to have.
  private func require(_ size: Int64, of expected: Int64) throws(StepFailure) {
    guard size != expected else { return }
    throw StepFailure(
      "expected '\(self.expected.path)' to have \(Int(expected).counted("byte")), but it has "
        + Int(size).counted("byte"))
  }

  /// Requires that the file differs nowhere from what it is compared with.
  private func requireNone(_ offset: Int64?, _ other: String) throws(StepFailure) {
    guard let offset else { return }
    throw StepFailure(
      "'\(expected.path)' has as many bytes as \(other), but from byte \(offset) on others")
  }
}

extension Form where Value == ExpectFileStep.Expected {
  /// A file with what it has to hold.
  fileprivate static var expected: Form {
    let path = Field("path", .path, default: .required, "The file to look at.")
    let contents = ContentsFields("in it")
    let label = Field(
      "sameAs", .labelOfBackup,
      "The label of an earlier backup step: the very bytes that this backup held.")
    return .object(
      "{ path: …, contents: … }, { path: …, size: … } or { path: …, sameAs: … }",
      [path] + contents.all + [label], [.exactlyOne(of: contents.all + [label])]
    ) { object -> ExpectFileStep.Expected? in
      let isCompared = object[label.key] != nil
      let held = contents.read(object, isRequired: false)
      let isHeld = contents.all.contains { object[$0.key] != nil }
      if isCompared, isHeld {
        object[label.key]?.note("'sameAs' stands here beside 'size' or 'contents'; keep one")
      } else if !isCompared, !isHeld {
        object.reader.note("nothing is asserted; add 'contents', 'size' or 'sameAs'")
      }
      guard let path = object[path] else { return nil }
      if isCompared {
        return object[label].map { (path, .backup($0)) }
      }
      switch held {
      case .zeros(let size): return (path, .size(size))
      case .bytes(let bytes): return (path, .bytes(bytes))
      case nil: return nil
      }
    }
  }
}
