import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5

extension StepKind {
  static let purge: StepKind = {
    let pressure = Field(
      "purge", .pressure, default: .required,
      "idle: Library/Caches and tmp, which iOS may purge at any time. lowStorage: "
        + "Library/Caches. criticalStorage: Library/Caches and tmp. Patterns: only these files, "
        + "as in older iOS versions.")
    return StepKind(
      .purge, pressure,
      "iOS ends the app and purges files. idle and criticalStorage purge Library/Caches and tmp. "
        + "lowStorage purges only Library/Caches. A list of patterns purges only the matching files "
        + "and links. Each pattern must begin with Library/Caches or tmp. The identifier of a "
        + "group or an extension can come first. In a group, tmp is not allowed.",
      examples: [["purge": "lowStorage"], ["purge": ["Library/Caches/Covers/*.jpg"]]]
    ) { step in
      step[pressure].map { .system(.purge($0)) }
    }
  }()
}

extension Form where Value == PurgeSimulator.Pressure {
  fileprivate static var pressure: Form {
    let pressureWord = word(
      [
        ("idle", .idle), ("lowStorage", .lowStorage), ("criticalStorage", .criticalStorage),
      ], named: "purge")
    let pattern = Form<PathPattern>.purgeable
    let expected = "patterns, or 'idle', 'lowStorage' or 'criticalStorage'"
    return Form(
      expected: expected, words: "\(pressureWord.words), or a list of patterns",
      schema: [
        "anyOf": [pressureWord.schema, ["type": "array", "items": pattern.schema, "minItems": 1]]
      ]
    ) { reader in
      if case .string(let text) = reader.value.kind {
        guard text.contains("/") else { return pressureWord.read(reader) }
        return reader.refuse("patterns must be in a list; write [\"\(text.escapedExcerpt)\"]")
      }
      guard let values = reader.elements(of: expected) else { return nil }
      if values.isEmpty { reader.report("the list is empty; expected at least one pattern") }
      return .files(values.compactMap(pattern.read))
    }
  }
}

extension Form where Value == PathPattern {
  fileprivate static var purgeable: Form {
    let identifier = #"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+"#
    let form = pattern.map { pattern, reader -> PathPattern? in
      if !pattern.isPurgeable {
        reader.report(
          "the system purges only Library/Caches and tmp, and only Library/Caches in a group's "
            + "container; begin the pattern with one of them"
        )
      }
      return pattern
    }
    return form.described(
      by: form.schema.adding([
        "pattern": .text(
          #"^(?:(?:\#(identifier):/)?Library/Caches|(?:(?!group\.)\#(identifier):/)?tmp)(?:/|$)"#)
      ])
    ).named(
      "purgeablePattern",
      "A pattern of files that the system may purge, below Library/Caches or tmp.",
      examples: ["Library/Caches/**", "tmp/upload.part"])
  }
}
