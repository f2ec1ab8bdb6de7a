import Foundation

// The program that tests start as a second process: the first argument names what to do.
// `XCommands.swift` has the commands that `XTests` starts, except `saving`, which many start.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "samples": try sampleCommand(Array(arguments.dropFirst()))
case "texts": textsCommand(Array(arguments.dropFirst()))
case "export": try exportCommand(Array(arguments.dropFirst()))
case "import": try importCommand(Array(arguments.dropFirst()))
case "registrations": registrationsCommand()
case "administrator": AdministratorCommands.run(inMemory: arguments.dropFirst().first == "memory")
case "former": MovingKeyCommands.run(Array(arguments.dropFirst()))
case "handler": DefaultsIssueCommands.run(arguments[1])
case "version": versionCommand(Array(arguments.dropFirst()))
case "release": migrationCommand(Array(arguments.dropFirst()))
case "arguments": try launchArgumentsCommand(Array(arguments.dropFirst()))
case "twice": readTwiceCommand()
case "in-memory": inMemoryCommand()
case "memory": MemoryCommands.run(arguments.dropFirst())
case "broken-pipe": brokenPipeCommand()
case "saving": SavingCommands.run(arguments.dropFirst())
case "listening": OtherProcessCommands.run(arguments.dropFirst())
case "model":
  var command = ModelCommand(Array(arguments.dropFirst()))
  command.run()
case "shorten": shortenCommand(Array(arguments.dropFirst()))
#if os(Linux)
  case "evidence": try EvidenceCommands.run(arguments.dropFirst())
#endif
case let command: fatalError("no such command: \(command ?? "")")
}
