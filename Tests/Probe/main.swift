// The program that tests start as a second process.
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "saving": SavingCommands.run(arguments.dropFirst())
case "measure-saving": SavingMeasurements.run(arguments.dropFirst())
case let command: fatalError("no such command: \(command ?? "")")
}
