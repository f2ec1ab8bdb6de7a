/// What a shell offers for the next word.
enum Completion {
  /// Returns a script that makes a shell ask `defaults complete`.
  static func script(for shell: String) throws -> String {
    switch shell {
    // By no `compgen -W`, which would run a command in the name of a key.
    case "bash":
      """
      _defaults() {
        local word
        COMPREPLY=()
        while IFS= read -r word; do
          if [[ $word == "$2"* ]]; then COMPREPLY+=("$(printf %q "$word")"); fi
        done < <(defaults complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
      }
      complete -o default -F _defaults defaults
      """
    case "zsh":
      """
      #compdef defaults
      _defaults() {
        local -a candidates
        candidates=("${(@f)$(defaults complete "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
        if [[ -n $candidates ]]; then compadd -a candidates; else _files; fi
      }
      compdef _defaults defaults
      """
    case "fish":
      """
      complete -c defaults -f -a '(defaults complete (commandline -opc)[2..] 2>/dev/null)'
      complete -c defaults -n '__fish_seen_subcommand_from import export' -F
      """
    default: throw Failure("There is no completion for \(shell), only for bash, zsh and fish")
    }
  }

  private static let commands = [
    "completion", "delete", "domains", "export", "find", "help", "import", "read", "read-type",
    "rename", "watch", "write",
  ]

  private static let types = [
    "-array", "-array-add", "-bool", "-data", "-date", "-dict", "-dict-add", "-float", "-int",
    "-string",
  ]

  /// Returns the words that may come after others.
  static func candidates(after words: [String]) -> [String] {
    switch (words.first, words.count) {
    case (nil, _): commands
    case ("completion", 1): ["bash", "fish", "zsh"]
    case ("delete", 1), ("export", 1), ("import", 1), ("read", 1), ("read-type", 1), ("rename", 1),
      ("watch", 1), ("write", 1):
      Domain.all.map(\.domain.name)
    case ("delete", 2), ("read", 2), ("read-type", 2), ("rename", 2), ("watch", 2), ("write", 2):
      ((try? Domain(words[1]).existing) ?? [:]).keys.sorted()
    case ("write", 3): types
    case ("write", _) where ["-bool", "-boolean"].contains(words.last): ["false", "true"]
    default: []
    }
  }
}
