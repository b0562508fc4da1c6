package import BackupDiagnostics
import Foundation

/// A way to write a thing as text, under the name that `--format` takes.
///
/// A new one is an element of a list, such as `SuiteReport.formats`.
package struct OutputFormat<Subject: Sendable>: Sendable {
  package let name: String
  package let traits: OutputTraits
  /// Writes a thing as a whole text, which ends in LF.
  package let write: @Sendable (Subject) throws(RunError) -> String

  package init(
    _ name: String, _ traits: OutputTraits = [],
    write: @escaping @Sendable (Subject) throws(RunError) -> String
  ) {
    self.name = name
    self.traits = traits
    self.write = write
  }

  /// JSON for programs: keys in alphabetical order, two spaces for each level.
  package static func json<Content: Encodable & SendableMetatype>(
    _ traits: OutputTraits = [], of content: @escaping @Sendable (Subject) -> Content
  ) -> OutputFormat {
    OutputFormat("json", traits) { subject throws(RunError) in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      do {
        return String(decoding: try encoder.encode(content(subject)), as: UTF8.self) + "\n"
      } catch {
        throw RunError(
          .unwritable, "the report cannot be written as JSON: \(error)")
      }
    }
  }
}

/// What a format needs, and what writing it does besides.
package struct OutputTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The text says what is wrong at its place, so that nothing need be printed beside it.
  package static let showsProblems = OutputTraits(rawValue: 1 << 0)
  /// It shows each run, also of scenarios that passed.
  package static let needsRuns = OutputTraits(rawValue: 1 << 1)
  /// The summary of a job on GitHub gets the report as Markdown.
  package static let writesSummary = OutputTraits(rawValue: 1 << 2)
}

extension Array {
  /// The format of a name, or the first for nil.
  package func format<Subject>(
    named name: String?
  ) throws(RunError) -> Element where Element == OutputFormat<Subject> {
    guard let name else { return self[0] }
    if let format = first(where: { $0.name == name }) { return format }
    throw RunError(
      .contradictory,
      "unknown format '\(name)'; \(NearestWord.advice(for: name, in: map(\.name)))")
  }
}
