package import BackupDiagnostics
import Foundation

/// A format of text output, with its name for the option `--format`.
///
/// The formats of a subject are in a list, such as `SuiteReport.formats`.
package struct OutputFormat<Subject: Sendable>: Sendable {
  package let name: String
  package let traits: Set<OutputTrait>
  private let makeText: @Sendable (Subject, TextFile?) throws(RunError) -> String

  package init(
    _ name: String, _ traits: Set<OutputTrait> = [],
    write: @escaping @Sendable (Subject) throws(RunError) -> String
  ) {
    self.init(name, traits, linking: { subject, _ throws(RunError) in try write(subject) })
  }

  /// Creates a format whose text has links to the project's files.
  ///
  /// The closure `text` gets the output file, to which the links are relative, or nil for standard
  /// output.
  package init(
    _ name: String, _ traits: Set<OutputTrait> = [],
    linking write: @escaping @Sendable (Subject, TextFile?) throws(RunError) -> String
  ) {
    self.name = name
    self.traits = traits
    self.makeText = write
  }

  /// Returns the text of a subject for a file, or for standard output if `file` is nil. The text
  /// ends in LF.
  package func text(_ subject: Subject, for file: TextFile? = nil) throws(RunError) -> String {
    try makeText(subject, file)
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

/// A property of a format that the tool must know.
package enum OutputTrait: Sendable {
  /// The text shows all problems with their positions, so the tool need not print them too.
  case showsProblems
  /// The text shows each run, including the runs of scenarios that passed.
  case showsRuns
  /// The text begins with a part for each result. The tool can print such a part as soon as it has
  /// the result.
  case beginsWithResults
  /// On GitHub, the tool also writes the report as Markdown into the summary of the job.
  case writesSummary
}

extension Array {
  /// Returns the format with a name; if the name is nil, the first format.
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
