import BackupDiagnostics
import BackupFileTree
import BackupJSON5

extension LocatedValue {
  /// What kind of value it is, as messages name it.
  var kindName: String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The string, or a noted mistake that says what was expected.
  func string(_ expected: String, _ collector: DiagnosticCollector) -> String? {
    if case .string(let string) = kind { return string }
    collector.error("expected \(expected), found \(kindName)", at: position)
    return nil
  }

  /// The boolean, or a noted mistake.
  func boolean(_ collector: DiagnosticCollector) -> Bool? {
    if case .bool(let value) = kind { return value }
    collector.error("expected true or false, found \(kindName)", at: position)
    return nil
  }

  /// The elements, or a noted mistake.
  func array(of expected: String, _ collector: DiagnosticCollector) -> [LocatedValue]? {
    if case .array(let elements) = kind { return elements }
    collector.error("expected a list of \(expected), found \(kindName)", at: position)
    return nil
  }

  /// The elements, where one alone may stand without brackets.
  func oneOrMore(_ expected: String, _ collector: DiagnosticCollector) -> [LocatedValue] {
    guard case .array(let elements) = kind else { return [self] }
    if elements.isEmpty {
      collector.error("the list is empty; expected at least one \(expected)", at: position)
    }
    return elements
  }

  /// The path, or a noted mistake.
  func path(_ collector: DiagnosticCollector) -> ContainerPath? {
    guard let text = string("a path in the container", collector) else { return nil }
    do throws(ContainerPathError) {
      let path = try ContainerPath(text)
      refuseMisspeltTop(path, collector)
      return path
    } catch {
      collector.error("the path \(error)", at: position)
      return nil
    }
  }

  /// Notes a mistake where the topmost directory is nearly a standard one: `documents`, `Libary`.
  private func refuseMisspeltTop(_ path: ContainerPath, _ collector: DiagnosticCollector) {
    let top = path.components.first?.string ?? ""
    let names = [ContainerPath.StandardLocation.documents, .library, .temporary].map(\.rawValue)
    guard !names.contains(top), top.count > 3 || top.lowercased() == "tmp",
      !top.contains(where: { "*?.".contains($0) }), let name = NearestWord.to(top, in: names)
    else { return }
    collector.error(
      "there is no '\(top.shown)' in a container; did you mean '\(name)'?", at: position)
  }

  /// The pattern, or a noted mistake.
  func pattern(_ collector: DiagnosticCollector) -> PathPattern? {
    guard let text = string("a pattern of paths", collector) else { return nil }
    do throws(ContainerPathError) {
      let pattern = try PathPattern(text)
      refuseMisspeltTop(try ContainerPath(text), collector)
      return pattern
    } catch {
      collector.error("the pattern \(error)", at: position)
      return nil
    }
  }

  /// The value of one of a set of words, or a noted mistake with the nearest.
  func word<Value>(
    _ words: [(String, Value)], _ collector: DiagnosticCollector
  ) -> Value? {
    let names = words.map(\.0)
    guard case .string(let text) = kind else {
      let list = names.map { "'\($0)'" }.joined(separator: ", ")
      collector.error("expected one of \(list), found \(kindName)", at: position)
      return nil
    }
    if let found = words.first(where: { $0.0 == text }) { return found.1 }
    let advice = NearestWord.advice(for: text, in: names)
    collector.error("'\(text.shown)' is not known here; \(advice)", at: position)
    return nil
  }

  /// The case of an enumeration by its raw value, or a noted mistake.
  func word<Value: RawRepresentable & CaseIterable>(
    of _: Value.Type, _ collector: DiagnosticCollector
  ) -> Value? where Value.RawValue == String {
    word(Value.allCases.map { ($0.rawValue, $0) }, collector)
  }

  /// The size in bytes, or a noted mistake.
  func byteSize(_ collector: DiagnosticCollector) -> Int64? {
    switch ByteSize.read(self) {
    case .success(let size): return size
    case .failure(let problem):
      collector.error(problem.message, at: position)
      return nil
    }
  }
}
