import BackupJSON5
import Testing

@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct StepPrintingTests {
  @Test func `a step that is printed and read again is equal`() throws {
    let texts =
      try Repository.scenarios().map { try Repository.text(at: $0.path) }
      + SchemaCase.all.filter(\.isAccepted).map(\.text)
    let scenarios = try texts.map { try Scenario(text: $0) }
    let steps = scenarios.flatMap { $0.launch + $0.steps }
    #expect(Set(steps.map(\.keyword)) == Set(StepKeyword.allCases))
    for step in steps {
      let line = step.fileValue.singleLineText
      let collector = MistakeCollector()
      let value = try JSON5Reader.read(Array(line.utf8))
      let reread = StepKind.read(
        ValueReader(value: value, collector: collector), step.reference.number)
      #expect(reread?.fileValue.singleLineText == line)
      // Arguments know their positions, which differ.
      if !step.hasArguments { #expect(reread?.action == step.action, "\(line)") }
      #expect(reread?.reference.summary == step.reference.summary)
      #expect(reread?.expectedFailure == step.expectedFailure)
      #expect(reread?.interruptionPoint == step.interruptionPoint)
      #expect(reread?.mayThrow == step.mayThrow)
      #expect(reread?.extensionIdentifier == step.extensionIdentifier)
      #expect(reread?.systems?.value == step.systems?.value)
    }
  }

  @Test(
    arguments: [
      "{ save: \"a\", size: 2048 }", "{ save: \"a\", size: \"10 KB\" }",
      "{ save: \"a\", size: \"1.5 MB\", how: \"inPlace\" }",
      "{ perform: \"p\", with: { id: 7, title: \"x\" }, in: \"com.example.app.widget\" }",
      "{ setDefault: { a: -1.5, b: true } }", "{ remove: \"a\", throws: \"noSuchFile\" }",
      "{ restore: { label: \"b\", to: \"sameDevice\" } }", "{ kill: {} }",
      "{ save: \"a\", contents: \"x\", killed: { before: \"rename\" }, on: \"18\" }",
    ])
  func `a step is printed as a person would write it`(step: String) throws {
    let text =
      "{ title: 'T', app: { extensions: ['com.example.app.widget'] }, system: '18', "
      + "steps: [{ backup: 'b' }, \(step)] }"
    #expect(try Scenario(text: text).steps.last?.fileValue.singleLineText == step)
  }
}
