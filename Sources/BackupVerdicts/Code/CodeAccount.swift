package import BackupContainer
import BackupDevice
package import BackupFileTree
package import BackupRules
package import BackupScenarios

/// A sentence that names the app's code behind a problem with an item.
///
/// For example: saved in step 2 by `MovieStore.add(_:)`, MovieStore.swift:12
package struct CodeAccount {
  package private(set) var sentence: String
  package var detail: String { "code: \(sentence)" }
  /// The lines of code that the sentence names.
  package private(set) var places: [CodePlace] = []
  /// The module of the first line of code; nil if it is not known.
  private(set) var module: String?

  /// Finds the code that caused a finding; nil if the kit saw no such code.
  package init?(of finding: Scenario.Finding, among calls: [Transcript.Call]) {
    guard let path = finding.path else { return nil }
    let rule = RuleList.rule(named: finding.rule)
    let preferredKind: ChangeCall.Kind?
    switch rule?.codeToBlame(for: finding.severity) {
    case .ofAnotherItem: return nil
    case .call(let kind): preferredKind = kind
    case .change, nil: preferredKind = nil
    }
    self.init(of: path, at: finding.step, among: calls, preferring: preferredKind)
  }

  /// Finds the code because of which a backup includes an item or leaves it out; nil if the kit saw
  /// no such code.
  ///
  /// For a directory, only a call that set a mark counts.
  init?(
    of decision: BackupSet.Decision, at step: Scenario.StepReference,
    among calls: [Transcript.Call]
  ) {
    let isByMark = decision.reason?.isByMark == true
    guard decision.isFileOrLink || isByMark else { return nil }
    self.init(of: decision.path, at: step, among: calls, preferring: isByMark ? .mark : nil)
  }

  /// Finds the code that last changed an item in a step, or else before the step. Returns nil if
  /// the kit saw no such code.
  ///
  /// If the app made a call of the kind `preferredKind` on the item, finds this call instead.
  package init?(
    of path: ContainerPath, at step: Scenario.StepReference, among calls: [Transcript.Call],
    preferring preferredKind: ChangeCall.Kind? = nil
  ) {
    guard !calls.isEmpty else { return nil }
    let callsInStep = calls.filter { $0.step == step }
    // A step of `launch` runs at each launch, so its position in the file does not say when.
    let callsSoFar = Array(calls.prefix { $0.step.isOfLaunch || $0.step.position <= step.position })
    let match = [callsInStep, callsSoFar].lazy.compactMap { calls in
      calls.map(\.changeCall).indexOfCause(of: path, preferring: preferredKind).map { (calls, $0) }
    }.first
    guard let (calls, index) = match else { return nil }
    let (causeStep, cause) = (calls[index].step, calls[index].changeCall)
    let isEarlier = causeStep != step
    sentence = "\(cause.kind.verb)\(isEarlier ? " in \(causeStep)" : "") by "
    guard let callers = CodeReader.places(of: cause) else {
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
    module = CodeReader.module(of: cause)
    if place.isAsynchronous {
      sentence += " (asynchronous, so its caller is unknown)"
    } else if let caller = callers.dropFirst().first {
      sentence += ", called by \(caller.description)"
      places.append(caller)
    }
    let markCall = calls[..<index].last {
      $0.step == causeStep && $0.changeCall.kind == .mark && $0.changeCall.path == path
    }
    guard cause.kind.isSave, let markCall,
      let markPlace = CodeReader.places(of: markCall.changeCall)?.first
    else { return }
    let isSameFunction = markPlace.file == place.file && markPlace.function == place.function
    let location = isSameFunction ? "at line \(markPlace.line)" : "by \(markPlace.description)"
    sentence += "; it was marked \(location), before the save"
    places.append(markPlace)
  }
}

extension Scenario.Finding {
  /// Returns lines with the app's code behind the finding, the advice, and the note.
  package func adviceLines(naming code: CodeAccount?) -> [String] {
    [code?.detail].compactMap(\.self) + adviceLines(noting: note(naming: code))
  }

  /// Returns a note on the advice, for example that the module of the code has no shim.
  package func note(naming code: CodeAccount?) -> String? { note(forModule: code?.module) }

  func note(forModule module: String?) -> String? {
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
  /// Returns the index of the call that best explains a problem with an item; nil if there is none.
  fileprivate func indexOfCause(
    of item: ContainerPath, preferring preferredKind: ChangeCall.Kind?
  ) -> Int? {
    let isChange = { (call: ChangeCall) in [.save, .move, .removal].contains(call.kind) }
    let lastChange = lastIndex { isChange($0) && $0.path == item }
    let preferredCall = lastIndex { call in
      call.kind == preferredKind
        && (call.path == item || call.path.isAncestor(of: item)
          || call.kind == .look && item.isAncestor(of: call.path))
    }
    // If the app saved the item after it looked for the item, the item is not missing.
    if let preferredCall, preferredKind != .look || preferredCall > lastChange ?? -1 {
      return preferredCall
    }
    return lastChange
      ?? lastIndex { call in
        isChange(call)
          && (item.isAncestor(of: call.path)
            || call.kind != .save && call.path.isAncestor(of: item))
      }
  }
}

extension ChangeCall.Kind {
  fileprivate var isSave: Bool { self == .save || self == .move }

  fileprivate var verb: String {
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
