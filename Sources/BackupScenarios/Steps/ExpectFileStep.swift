import BackupDiagnostics
package import BackupFileTree
import BackupJSON5

extension StepKind {
  static let expectFile: StepKind = {
    let expected = Field(
      "expectFile", .expectedFile, default: .required, "The file, and one assertion about it.")
    return StepKind(
      .expectFile, expected,
      "A file that must exist, and what it must contain.",
      examples: [
        ["expectFile": ["path": "Documents/notes.txt", "contents": "Buy milk"]],
        ["expectFile": ["path": "Documents/notes.txt", "sameAs": "at night"]],
      ]
    ) { step in
      step[expected].map { .check(.file($0.path, $0.contents)) }
    }
  }()
}

/// The contents that a file must have.
package enum ExpectedContents: Hashable, Sendable {
  /// The file must have these contents. If they are zeros, only the size counts.
  case contents(FileOperation.Contents)
  /// The file must have the same contents as in the backup with this label.
  case sameAs(String)
}

extension ScenarioRun {
  mutating func expectFile(
    _ path: ContainerPath, _ expectedContents: ExpectedContents
  ) throws(StepFailure) {
    guard let item = try currentTree()[path] else {
      throw StepFailure("expected the file '\(path)' to exist, but it is missing")
    }
    guard let size = item.size else {
      throw StepFailure("expected '\(path)' to be a file, but it is not")
    }
    switch expectedContents {
    case .contents(let contents):
      let isUnencrypted = item.information?.details?.seals.isEmpty != false
      if isUnencrypted || contents == .zeros(contents.size) {
        try Self.requireSize(contents.size, of: path, size)
      }
      guard case .bytes(let bytes) = contents else { return }
      // Compare an encrypted text as the app reads it, without the encryption.
      let storedContents = FileOperation.Contents.bytes(try self.bytes(of: path))
      let actualBytes =
        isUnencrypted ? storedContents.knownBytes : storedContents.unsealed.contents.knownBytes
      try Self.requireSize(contents.size, of: path, Int64(actualBytes.count))
      let differenceIndex = zip(actualBytes, bytes).enumerated().first { $0.1.0 != $0.1.1 }?.offset
      try Self.requireNoDifference(differenceIndex.map(Int64.init), in: path, "the text")
    case .sameAs(let label):
      let labelText = EscapedText.escape(label)
      guard let backedUpSize = try self.size(of: path, inBackup: label) else {
        throw StepFailure("the backup \"\(labelText)\" contains no file '\(path)' to compare with")
      }
      try Self.requireSize(backedUpSize, of: path, size)
      try Self.requireNoDifference(
        try firstDifference(of: path, fromBackup: label), in: path, "the backup \"\(labelText)\"")
    }
  }

  private static func requireSize(
    _ expectedSize: Int64, of path: ContainerPath, _ actualSize: Int64
  ) throws(StepFailure) {
    guard actualSize != expectedSize else { return }
    let (expectedText, actualText) = Int64.formattedSizes(expectedSize, actualSize)
    throw StepFailure("expected '\(path)' to have \(expectedText), but it has \(actualText)")
  }

  private static func requireNoDifference(
    _ offset: Int64?, in path: ContainerPath, _ comparedName: String
  ) throws(StepFailure) {
    guard let offset else { return }
    throw StepFailure(
      "'\(path)' is as large as \(comparedName), but differs from it at byte \(offset)")
  }
}

private struct ExpectedFile {
  let path: ContainerPath
  let contents: ExpectedContents
}

extension Form where Value == ExpectedFile {
  fileprivate static var expectedFile: Form {
    let path = Field("path", .path, default: .required, "The file to check.")
    let contents = ContentsFields(
      size: "The size that the file must have.",
      text: "The text that the file must contain, in UTF-8.")
    let label = Field(
      "sameAs", .labelOfBackup,
      "The label of an earlier backup step. The file must have the same bytes as in this backup.")
    let shape = "{ path: …, contents: … }, { path: …, size: … } or { path: …, sameAs: … }"
    return Form.object(
      shape, [path] + contents.all + [label], [.exactlyOne(of: contents.all + [label])]
    ) { object -> ExpectedFile? in
      let hasLabel = object[label.key] != nil
      let expectedContents = contents.read(object, isRequired: false)
      let hasContents = contents.all.contains { object[$0.key] != nil }
      if hasLabel, hasContents {
        object[label.key]?.report("'sameAs' cannot be given with 'size' or 'contents'; keep one")
      } else if !hasLabel, !hasContents {
        let advice = object[path].map { "; \(existenceAdvice($0.string))" } ?? ""
        object.reader.report("nothing is asserted; add 'contents', 'size' or 'sameAs'\(advice)")
      }
      guard let path = object[path] else { return nil }
      if hasLabel {
        return object[label].map { ExpectedFile(path: path, contents: .sameAs($0)) }
      }
      return expectedContents.map { ExpectedFile(path: path, contents: .contents($0)) }
    }.refusing { value in
      guard case .string(let text) = value.kind else { return nil }
      return "expected \(shape), found a string; \(existenceAdvice(text))"
    }
  }

  /// Returns advice on a file that only has to exist.
  private static func existenceAdvice(_ path: String) -> String {
    "if the file need only exist, write { expectFiles: { present: [\"\(path.escapedExcerpt)\"] } }"
  }
}
