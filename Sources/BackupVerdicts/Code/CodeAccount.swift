package import BackupContainer
import BackupDevice
package import BackupFileTree
package import BackupRules
package import BackupScenarios

/// The lines of the app's code that explain a problem with an item.
package struct CodeAccount {
  package private(set) var sentence: String
  package var detail: String { "code: \(sentence)" }
  /// The lines that the sentence names.
  package private(set) var places: [CodePlace] = []
  /// The module of the first place; nil if it is not known.
  private(set) var module: String?

  /// Finds the code that explains a finding; nil if the kit saw none.
  package init?(of finding: Scenario.Finding, among calls: [Transcript.Call]) {
    guard let path = finding.path else { return nil }
    let rule = RuleList.rule(named: finding.rule)
    let preferred: ChangeCall.Kind?
    switch rule?.codeToBlame(for: finding.severity) {
    case .ofAnotherItem: return nil
    case .call(let kind): preferred = kind
    case .change, nil: preferred = nil
    }
    self.init(of: path, at: finding.step, among: calls, preferring: preferred)
  }

  /// Finds the code that explains why a backup includes an item or not; nil if the kit saw none.
  ///
  /// For a directory, only a mark is explained.
  init?(
    of decision: BackupSet.Decision, at step: Scenario.StepReference,
    among calls: [Transcript.Call]
  ) {
    let isByMark = decision.reason?.isByMark == true
    guard decision.isLeaf || isByMark else { return nil }
    self.init(of: decision.path, at: step, among: calls, preferring: isByMark ? .mark : nil)
  }

  /// Finds the code of the last change to an item up to a step, or of the last call of a preferred kind; nil if
  /// the kit saw none.
  package init?(
    of path: ContainerPath, at step: Scenario.StepReference, among calls: [Transcript.Call],
    preferring preferred: ChangeCall.Kind? = nil
  ) {
    guard !calls.isEmpty else { return nil }
    let callsInStep = calls.filter { $0.step == step }
    // The position of a launch's step does not say when it ran.
    let callsSoFar = Array(calls.prefix { $0.step.isOfLaunch || $0.step.position <= step.position })
    let match = [callsInStep, callsSoFar].lazy.compactMap { calls in
      calls.map(\.call).indexOfCause(of: path, preferring: preferred).map { (calls, $0) }
    }.first
    guard let (calls, index) = match else { return nil }
    let (changeStep, change) = (calls[index].step, calls[index].call)
    let isEarlier = changeStep != step
    sentence = "\(change.kind.word)\(isEarlier ? " in \(changeStep)" : "") by "
    guard let callers = CodeReader.places(of: change) else {
      sentence +=
        "unknown code: 'llvm-symbolizer' is missing or fails; put Swift's toolchain into PATH"
      return
    }
    guard let place = callers.first else {
      sentence += "unknown code: the stack has no function of the app with debug information"
      return
    }
    sentence += place.description
    places = [place]
    module = CodeReader.module(of: change)
    if place.isAsynchronous {
      sentence += " (asynchronous, so its caller is unknown)"
    } else if let caller = callers.dropFirst().first {
      sentence += ", called by \(caller.description)"
      places.append(caller)
    }
    let mark = calls[..<index].last {
      $0.step == changeStep && $0.call.kind == .mark && $0.call.path == path
    }
    guard change.kind.isSave, let mark, let marking = CodeReader.places(of: mark.call)?.first
    else { return }
    let isSameFunction = marking.file == place.file && marking.function == place.function
    let location = isSameFunction ? "at line \(marking.line)" : "by \(marking.description)"
    sentence += "; it was marked \(location), before the save"
    places.append(marking)
  }
}

extension Scenario.Finding {
  /// Returns the app's code that explains the finding, the advice and the note on it, in a line each.
  package func details(naming code: CodeAccount?) -> [String] {
    [code?.detail].compactMap(\.self) + details(noting: note(naming: code))
  }

  /// Returns a note on the advice. If the code is known, the note can be that its module has no shim.
  package func note(naming code: CodeAccount?) -> String? { note(whereSavedBy: code?.module) }

  func note(whereSavedBy module: String?) -> String? {
    guard let module, missingMark.contains(.resourceValue),
      case .modules = FoundationMarks.visibleModules
    else { return note }
    guard !FoundationMarks.hasShim(module) else { return nil }
    return
      "on Linux, the kit does not see the marks that the module \(module) sets with Foundation, "
      + "because it does not have the plugin LinuxShim; give it the plugin, or, if it is another "
      + "package's, test this on an Apple platform"
  }
}

extension [ChangeCall] {
  /// Returns the index of the call that best explains a problem with an item; nil if no call concerns it.
  fileprivate func indexOfCause(
    of item: ContainerPath, preferring preferred: ChangeCall.Kind?
  ) -> Int? {
    let isChange = { (call: ChangeCall) in [.save, .move, .removal].contains(call.kind) }
    let change = lastIndex { isChange($0) && $0.path == item }
    let cause = lastIndex { call in
      call.kind == preferred
        && (call.path == item || call.path.isAncestor(of: item)
          || call.kind == .look && item.isAncestor(of: call.path))
    }
    // An item that was saved after a look-up is not missing.
    if let cause, preferred != .look || cause > change ?? -1 { return cause }
    return change
      ?? lastIndex { call in
        isChange(call)
          && (item.isAncestor(of: call.path)
            || call.kind != .save && call.path.isAncestor(of: item))
      }
  }
}

extension ChangeCall.Kind {
  fileprivate var isSave: Bool { self == .save || self == .move }

  fileprivate var word: String {
    switch self {
    case .save, .move: "saved"
    case .removal: "removed"
    case .mark: "marked"
    case .unmark: "unmarked"
    case .refusal: "tried"
    case .look: "looked for"
    }
  }
}
