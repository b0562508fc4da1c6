package import BackupFileTree
package import BackupJSON5

extension Scenario {
  /// A point at which a step of the app is interrupted.
  ///
  /// Either the app is killed before a change, or a write fails because the storage is full.
  package struct InterruptionPoint: Hashable, Sendable {
    package enum Interruption: Hashable, Sendable {
      case kill(before: FileChange.Kind)
      /// A write fails, and the app is not killed.
      case fullStorage
    }

    package let interruption: Interruption
    /// The item of the change; nil for any item.
    package let path: ContainerPath?
    /// The number of the change among the step's changes of this kind to this item, counted from 1.
    package let occurrence: Int

    package init(_ interruption: Interruption, path: ContainerPath?, occurrence: Int = 1) {
      self.interruption = interruption
      self.path = path
      self.occurrence = occurrence
    }

    package init(kind: FileChange.Kind, path: ContainerPath?, occurrence: Int = 1) {
      self.init(.kill(before: kind), path: path, occurrence: occurrence)
    }

    package var isStorageFull: Bool { interruption == .fullStorage }

    package var changeKind: FileChange.Kind {
      switch interruption {
      case .kill(before: let kind): kind
      case .fullStorage: .write
      }
    }
  }
}

extension Scenario.InterruptionPoint: CustomStringConvertible {
  /// The interruption as a clause: `the app was killed before it wrote 'Documents/a'`.
  package var clause: String {
    isStorageFull
      ? "the storage was full when the app \(pastTense)"
      : "the app was killed before it \(pastTense)"
  }

  /// The prevented change in the past tense: `wrote 'Documents/a'`.
  package var pastTense: String {
    let itemPhrase = path.map { " '\($0)'" } ?? " an item"
    return changeKind.pastTenseVerb + itemPhrase
      + (occurrence > 1 ? " (occurrence \(occurrence))" : "")
  }

  /// The prevented change in short: `mark 'Library/a'`, `write 'Library/a' (occurrence 2)`.
  package var description: String {
    let itemPhrase = path.map { " '\($0)'" } ?? ""
    return
      "\(changeKind.rawValue)\(itemPhrase)\(occurrence > 1 ? " (occurrence \(occurrence))" : "")"
  }

  /// The point in the form of a scenario file.
  package var fileValue: LocatedValue {
    var value = LocatedValue.object(
      isStorageFull ? [] : [("before", .string(changeKind.rawValue))])
    value.set("path", path.map(LocatedValue.path))
    if occurrence > 1 { value.set("occurrence", .number(occurrence)) }
    return value
  }

  private static let largestOccurrence = 10_000

  private static let kindField = Field<FileChange.Kind>(
    "before", .word(of: FileChange.Kind.self, named: "change"), default: .required,
    "The kind of change that the app is about to make. Emptying a file counts as create.")
  private static let pathField = Field(
    "path", .path, default: .inWords("any item"),
    "The item. For a temporary file, the item that the file is about to replace.")
  private static let occurrenceField = Field<Int>(
    "occurrence", .ordinal(upTo: largestOccurrence), default: .value(1),
    "If the step makes several such changes: 1 for the first, 2 for the second.")

  package static let fields: [any DeclaredField] = [kindField, pathField, occurrenceField]

  static let field = Field<Scenario.InterruptionPoint>(
    "killed",
    .object("{ before: …, path: …, occurrence: … }", fields) { object in
      guard let kind = object[kindField], !object.isInvalid(pathField),
        let occurrence = object[occurrenceField]
      else { return nil }
      return Scenario.InterruptionPoint(kind: kind, path: object[pathField], occurrence: occurrence)
    }.named(
      "killed", "A change to the file system before which the app is killed.",
      examples: [["before": "mark", "path": "Library/Application Support/Movies"]]),
    "The app is killed in the middle of the step, before one of its changes to the file system. "
      + "If the step launches the app, changes of the launch count too.",
    examples: [["before": "mark", "path": "Library/Application Support/Movies"]])

  static let storageFullField = Field<Scenario.InterruptionPoint>(
    "storageFull",
    .object("{ path: …, occurrence: … }", [pathField, occurrenceField]) { object in
      guard !object.isInvalid(pathField), let occurrence = object[occurrenceField] else {
        return nil
      }
      return Scenario.InterruptionPoint(
        .fullStorage, path: object[pathField], occurrence: occurrence)
    }.named(
      "storageFull", "A write that fails because the storage is full.",
      examples: [["path": "Library/Application Support/Movies/1.mp4"]]),
    "A write that makes a file longer fails with ENOSPC, as on full storage. After the step, the app ends. "
      + "An error that the code throws does not fail the step.",
    examples: [["path": "Library/Application Support/Movies/1.mp4"]])

  static let refusedStorageFullField = Field<Scenario.InterruptionPoint>(
    "storageFull",
    .refused("'storageFull' is only for steps that run the app's own code, and for 'relaunch'"),
    "The write that fails because the storage is full.")

  static let refusedField = Field<Scenario.InterruptionPoint>(
    "killed",
    .refused(
      "'killed' is only for steps of the app and for 'relaunch'; put { kill: {} } before this step"),
    "The point at which the app is killed.")
}

extension Form where Value == Int {
  /// Returns the form of a number that counts from 1.
  static func ordinal(upTo maximum: Int) -> Form {
    let expected = "a whole number from 1 to \(maximum)"
    return Form(
      expected: expected, words: "whole number",
      schema: ["type": "integer", "minimum": 1, "maximum": .number(Double(maximum))]
    ) { reader in
      guard case .number(let number) = reader.value.kind, let value = Int(exactly: number.double),
        (1...maximum).contains(value)
      else {
        return reader.refuse(expected: expected)
      }
      return value
    }
  }
}
