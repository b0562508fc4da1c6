import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupDiagnostics
@testable import BackupFileTree
@testable import BackupRules
@testable import BackupScenarios

/// Real code is judged as the simulated steps that do the same.
@Suite struct SimulatedTwinTests {
  /// A finding without its words.
  private struct Judged: Hashable, CustomStringConvertible {
    /// The rule, its severity, the line and the path.
    let description: String

    init(_ finding: Scenario.Finding) {
      let path = finding.path?.description ?? ""
      description = "\(finding.severity) \(finding.rule):\(finding.step.position.line) \(path)"
    }
  }

  @Test(arguments: Thoroughness.seeds(3, of: 25))
  func `random operations break the same rules as steps and as code`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var tree = FileTree.Layout.newlyInstalled.tree
    var steps: [String] = []
    var twins: [String] = []
    var operations: [FileOperation] = []
    while operations.count < 40 {
      let operation = try random.operation()
      guard tree.isChanged(by: operation), (try? tree.apply(operation)) != nil else { continue }
      twins.append("{ perform: 'do', with: { number: \(operations.count) } }")
      steps.append(operation.step)
      operations.append(operation)
      if operations.count % 5 == 0 {
        let backup = "{ backup: '\(operations.count)' }"
        steps.append(backup)
        twins.append(backup)
      }
    }
    let done = operations
    var actions = AppActions()
    actions.bind("do", probesMarks: false) { action in
      let number: Int = try action.argument("number")
      try action.fake.apply(done[number])
    }
    let head = "files: { 'Documents/**': 'critical', 'Library/**': 'offline' },"
    let simulated = try await ActionRun(steps, actions: [:], head: head)
    let real = try await ActionRun(twins, actions: actions, head: head)
    #expect(simulated.failure == nil)
    #expect(real.failure == nil)
    let expected = Set(simulated.findings.map(Judged.init))
    let found = Set(real.findings.map(Judged.init))
    #expect(!expected.isEmpty)
    #expect(found == expected, "\(steps.joined(separator: "\n"))")
  }
}

extension SeededGenerator {
  /// One of a few paths.
  mutating func path() throws -> ContainerPath {
    let top = Bool.random(using: &self) ? "Library" : "Documents"
    let directory = ["", "/D", "/E"][Int.random(in: 0..<3, using: &self)]
    return try ContainerPath("\(top)\(directory)/\(Bool.random(using: &self) ? "a" : "b")")
  }

  /// One of a few directories.
  mutating func directory() throws -> ContainerPath {
    let top = Bool.random(using: &self) ? "Library" : "Documents"
    return try ContainerPath("\(top)/\(Bool.random(using: &self) ? "D" : "E")")
  }

  /// An operation that a step can do too.
  mutating func operation() throws -> FileOperation {
    let size = Int64.random(in: 1...9, using: &self)
    let either = Bool.random(using: &self) ? try directory() : try path()
    switch Int.random(in: 0..<12, using: &self) {
    case 0: return .createDirectory(try directory(), intermediates: true)
    case 1, 2: return .write(try path(), .zeros(size), method: .atomically)
    case 3, 4: return .write(try path(), .zeros(size), method: .inPlace)
    case 5: return .write(try path(), .zeros(size), method: .deleteFirst)
    case 6: return .append(try path(), .zeros(size))
    case 7: return .move(either, to: try path(), replacing: true)
    case 8: return .move(try directory(), to: try directory(), replacing: false)
    case 9: return .remove(either)
    default:
      return .setMark(.resourceValue, on: either, to: Int.random(in: 0..<4, using: &self) > 0)
    }
  }
}

extension FileTree {
  /// Whether an operation does something that two looks at the disk can tell.
  fileprivate func isChanged(by operation: FileOperation) -> Bool {
    if case .setMark(let mark, on: let path, to: false) = operation {
      return self[path]?.marks.contains(mark) == true
    }
    return !changes(by: operation).isEmpty
  }
}

extension FileOperation {
  /// The step that does the same.
  fileprivate var step: String {
    switch self {
    case .createDirectory(let path, _): "{ createDirectory: '\(path)' }"
    case .write(let path, let contents, method: let method):
      "{ save: '\(path)', size: \(contents.size), how: '\(method.rawValue)' }"
    case .append(let path, let contents): "{ append: '\(path)', size: \(contents.size) }"
    case .move(let source, to: let path, let replacing):
      "{ move: '\(source)', to: '\(path)', over: \(replacing) }"
    case .copy(let source, to: let path): "{ copy: '\(source)', to: '\(path)' }"
    case .remove(let path): "{ remove: '\(path)' }"
    case .link(let path, let destination): "{ link: '\(path)', to: '\(destination)' }"
    case .setMark(_, on: let path, to: let isSet): "{ \(isSet ? "exclude" : "include"): '\(path)' }"
    }
  }
}
