package import BackupScenarios

/// The results of an exploration of one scenario, as data.
package struct ExplorationRecord: Codable, Sendable {
  /// The reason why the scenario was not explored; nil if it was.
  package let obstacle: String?
  /// The reason why a run with injected events stopped early; nil if no such run did.
  package let trouble: String?
  /// The numbers of points, traces and counterexamples, in a line.
  package let summary: String
  /// The number of the step at which the exploration began; nil if it began at the first step.
  package let firstStep: Int?
  package let complete: Bool
  package let quiescentPoints: Int
  package let crashPoints: Int
  package let traces: Int
  package let stopped: [Stop]
  /// The number of traces that the kit could not repeat.
  package let unrepeated: Int
  /// The number of steps whose changes the kit did not all see.
  package let unseenActivities: Int
  /// The number of steps that changed files in a different order when they were repeated.
  package let unlikeActivities: Int
  /// False if the app has no `launch`, so that the kit could not explore its start.
  package let startExplored: Bool
  package let counterexamples: [Counterexample]
  package let points: [Row]
  /// The number of traces in ``stopped``, for readers of the JSON.
  private let abandoned: Int

  /// A trace that stopped because a step failed.
  package struct Stop: Codable, Sendable {
    package let token: String
    package let event: String
    package let step: Step
    package let summary: String
    package let line: Int
    package let reason: String
    package let reported: Bool

    package init(
      token: String, event: String, step: Step, summary: String, line: Int, reason: String,
      isReported: Bool
    ) {
      self.token = token
      self.event = event
      self.step = step
      self.summary = summary
      self.line = line
      self.reason = reason
      self.reported = isReported
    }
  }

  /// The smallest trace that shows a finding.
  package struct Counterexample: Codable, Sendable {
    package let rule: String
    package let severity: Scenario.Severity
    package let token: String
    package let step: Step
    package let line: Int
    package let path: String?
    package let message: String
    package let advice: String
    package let note: String?
    /// The trace as a scenario file.
    package let scenario: String
    package let steps: Int
    package let otherItems: Int
    package let otherCrashPoints: Int
    /// The command that repeats the trace.
    package let replay: String

    package init(
      rule: String, severity: Scenario.Severity, token: String, step: Step,
      line: Int, path: String?, message: String, advice: String, note: String?,
      scenario: String, steps: Int, otherItems: Int, otherCrashPoints: Int, replay: String
    ) {
      self.rule = rule
      self.severity = severity
      self.token = token
      self.step = step
      self.line = line
      self.path = path
      self.message = message
      self.advice = advice
      self.note = note
      self.scenario = scenario
      self.steps = steps
      self.otherItems = otherItems
      self.otherCrashPoints = otherCrashPoints
      self.replay = replay
    }
  }

  /// A step and its points at which exploration injected events, in order.
  package struct Row: Codable, Sendable {
    /// The step in words.
    package let step: String
    package let parts: [Part]

    package init(step: String, parts: [Part]) {
      self.step = step
      self.parts = parts
    }
  }

  /// Consecutive points without a counterexample, or one point with a counterexample.
  package struct Part: Codable, Sendable {
    package let count: Int
    package let problem: Problem?

    package init(count: Int, problem: Problem? = nil) {
      self.count = count
      self.problem = problem
    }
  }

  package struct Problem: Codable, Sendable {
    /// The injected event in a word, such as `rename` for a kill before a file is renamed.
    package let event: String
    /// The injected event in words, with the replay token.
    package let title: String
    /// The index of the counterexample.
    package let counterexample: Int

    package init(event: String, title: String, counterexample: Int) {
      self.event = event
      self.title = title
      self.counterexample = counterexample
    }
  }

  /// The number of a step, or the name of a step without a number, such as `launch 1`.
  package struct Step: Codable, Sendable {
    private let name: String

    package init(_ number: Scenario.StepReference.Number) { name = number.description }

    package init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      // If the value is no number, it must be a name.
      let number = try? value.decode(Int.self)
      name = try number.map(String.init) ?? value.decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      if let number = Int(name) { try value.encode(number) } else { try value.encode(name) }
    }
  }

  package init(
    obstacle: String?, trouble: String?, summary: String, firstStep: Int?, isComplete: Bool,
    quiescentPoints: Int, crashPoints: Int, traces: Int, stopped: [Stop], unrepeated: Int,
    unseenActivities: Int, unlikeActivities: Int, isStartExplored: Bool,
    counterexamples: [Counterexample], points: [Row]
  ) {
    self.obstacle = obstacle
    self.trouble = trouble
    self.summary = summary
    self.firstStep = firstStep
    self.complete = isComplete
    self.quiescentPoints = quiescentPoints
    self.crashPoints = crashPoints
    self.traces = traces
    self.stopped = stopped
    self.abandoned = stopped.count
    self.unrepeated = unrepeated
    self.unseenActivities = unseenActivities
    self.unlikeActivities = unlikeActivities
    self.startExplored = isStartExplored
    self.counterexamples = counterexamples
    self.points = points
  }
}
