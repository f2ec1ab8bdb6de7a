import Foundation

/// Prints a line, which another program reads at once.
func write(_ line: String) { write(Data((line + "\n").utf8)) }

func write(_ data: Data) {
  do {
    try FileHandle.standardOutput.write(contentsOf: data)
  } catch {
    exit(1)  // The output has no reader any more, or no space.
  }
}

func warn(_ message: String) {
  try? FileHandle.standardError.write(contentsOf: Data("defaults: \(message)\n".utf8))
}

let usage = """
  Command line interface to a user's defaults.
  Syntax:

  'defaults' followed by one of the following:

    read                                 shows all defaults
    read <domain>                        shows defaults for given domain
    read <domain> <key>                  shows defaults for given domain, key

    read-type <domain> <key>             shows the type for the given domain, key

    write <domain> <domain_rep>          writes domain (overwrites existing)
    write <domain> <key> <value>         writes key for domain

    rename <domain> <old_key> <new_key>  renames old_key to new_key

    delete <domain>                      deletes domain
    delete <domain> <key>                deletes key in domain

    import <domain> <path to plist>      writes the plist at path to domain
    import <domain> -                    writes a plist from stdin to domain
    export <domain> <path to plist>      saves domain as a binary plist to path
    export <domain> -                    writes domain as an xml plist to stdout
    domains                              lists all domains
    find <word>                          lists all entries containing word
    watch <domain>                       prints each change until it is stopped
    watch <domain> <key>                 prints each change of a key
    completion (bash | zsh | fish)       prints a script for completion in a shell
    help                                 print this help

  <domain> is a <domain_name> or a path to a file omitting the '.plist' extension

  <value> is one of:
    <value_rep>
    -string <string_value>
    -data <hex_digits>
    -int[eger] <integer_value>
    -float  <floating-point_value>
    -bool[ean] (true | false | yes | no)
    -date <date_rep>
    -array <value1> <value2> ...
    -array-add <value1> <value2> ...
    -dict <key1> <value1> <key2> <value2> ...
    -dict-add <key1> <value1> ...
  """
