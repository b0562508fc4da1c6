package import BackupDiagnostics
import Foundation

/// A format of text output, with its name for `--format`.
///
/// Each format is an element of a list, such as `SuiteReport.formats`.
package struct OutputFormat<Subject: Sendable>: Sendable {
  package let name: String
  package let traits: Set<OutputTrait>
  private let text: @Sendable (Subject, TextFile?) throws(RunError) -> String

  package init(
    _ name: String, _ traits: Set<OutputTrait> = [],
    write: @escaping @Sendable (Subject) throws(RunError) -> String
  ) {
    self.init(name, traits, linking: { subject, _ throws(RunError) in try write(subject) })
  }

  /// Creates a format whose text has links to the project's files, relative to the file of the output; nil is
  /// standard output.
  package init(
    _ name: String, _ traits: Set<OutputTrait> = [],
    linking write: @escaping @Sendable (Subject, TextFile?) throws(RunError) -> String
  ) {
    self.name = name
    self.traits = traits
    self.text = write
  }

  /// Returns the text of a subject, which ends in LF, for a file or for standard output.
  package func write(_ subject: Subject, to file: TextFile? = nil) throws(RunError) -> String {
    try text(subject, file)
  }

  /// JSON for programs: keys in alphabetical order, two spaces for each level.
  package static func json<Content: Encodable & SendableMetatype>(
    _ traits: Set<OutputTrait> = [], of content: @escaping @Sendable (Subject) -> Content
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

/// A need or an effect of a format.
package enum OutputTrait: Sendable {
  /// The text shows all problems at their places, so that nothing need be printed beside it.
  case showsProblems
  /// The text shows each run, also of scenarios that passed.
  case needsRuns
  /// The text begins with the text of each result, which can be printed as soon as the result is there.
  case beginsWithResults
  /// The summary of a job on GitHub gets the report as Markdown.
  case writesSummary
}

extension Array {
  /// Returns the format of a name; the first format for nil.
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
