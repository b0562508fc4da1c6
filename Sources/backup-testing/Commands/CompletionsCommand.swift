import BackupDiagnostics
import Foundation

extension Command {
  static let completions = Command(
    name: "completions",
    operands: "SHELL", operandCounts: 1...1, possibleOperands: shells,
    summary: "Prints a script with which bash, zsh or fish completes commands and options.",
    discussion: """
      For bash, add this line to ~/.bashrc. For zsh, write 'zsh', and add it to ~/.zshrc below
      'compinit':

        eval "$(backup-testing completions bash)"

      For fish, add to config.fish: backup-testing completions fish | source
      """,
    options: []
  ) { arguments in
    let name = arguments.operands[0]
    let scripts = ["bash": bashScript, "zsh": zshScript, "fish": fishScript]
    guard let script = scripts[name] else {
      throw CommandError("unknown shell '\(name)'; \(NearestWord.advice(for: name, in: shells))")
    }
    try Output.print(script)
    return .success
  }

  private static let shells = ["bash", "zsh", "fish"]

  /// Shell code for bash and zsh that sets the candidates for the next word. If the code sets
  /// none, the shell completes file names.
  private static var candidateCode: String {
    let firstWords = (all.map(\.name) + ["help", "--help", "--version"]).joined(separator: " ")
    let commandCases = all.map { command in
      let valueCases = command.options.filter { !$0.possibleValues.isEmpty }.map {
        "    '\(command.name) \($0.name)') candidates='\($0.possibleValues.joined(separator: " "))' ;;\n"
      }
      // The options that take files, folders or other text.
      let freeTextOptions = command.options.filter {
        $0.valueName != nil && $0.possibleValues.isEmpty
      }
      .map { "'\(command.name) \($0.name)'" }.joined(separator: " | ")
      let operands = command.possibleOperands.joined(separator: " ")
      let options = (command.options.map(\.name) + ["--help"]).joined(separator: " ")
      return valueCases.joined() + (freeTextOptions.isEmpty ? "" : "    \(freeTextOptions)) ;;\n")
        + """
            '\(command.name) '*)
              candidates='\(operands)'
              [[ $word == -* ]] && candidates='\(options)' ;;

        """
    }
    return """
        case "$command $previous" in
      \(commandCases.joined())    'help '*) candidates='\(all.map(\.name).joined(separator: " "))' ;;
        esac
        (( index == 1 )) && candidates='\(firstWords)'

      """
  }

  private static var bashScript: String {
    """
    _backup_testing() {
      local index=$COMP_CWORD command=${COMP_WORDS[1]} word=${COMP_WORDS[COMP_CWORD]}
      local previous=${COMP_WORDS[COMP_CWORD - 1]} candidates=
    \(candidateCode)  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
    }
    complete -o default -F _backup_testing backup-testing

    """
  }

  private static var zshScript: String {
    """
    _backup_testing() {
      local index=$(( CURRENT - 1 )) command=${words[2]} word=${words[CURRENT]}
      local previous=${words[CURRENT - 1]} candidates=
    \(candidateCode)  if [[ -n $candidates ]]; then compadd -- ${=candidates}; else _files; fi
    }
    compdef _backup_testing backup-testing

    """
  }

  private static var fishScript: String {
    let commands = all.flatMap { command -> [String] in
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      let options = command.options.map { option in
        let value =
          option.valueName == nil
          ? ""
          : option.possibleValues.isEmpty
            ? " -r" : " -x -a \(quoted(option.possibleValues.joined(separator: " ")))"
        return "\(condition) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.summary))"
      }
      let operands = command.possibleOperands
      return ["-n __fish_use_subcommand -f -a \(command.name) -d \(quoted(command.summary))"]
        + options
        + (operands.isEmpty
          ? [] : ["\(condition) -f -a \(quoted(operands.joined(separator: " ")))"])
    }
    return commands.map { "complete -c backup-testing \($0)\n" }.joined()
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "'\(escaped)'"
  }
}
