import Foundation

// Started by the tests as a second process: the first argument names what to do.
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "samples": try sampleCommand(Array(arguments.dropFirst()))
case "registrations": registrationsCommand()
case "arguments": try launchArgumentsCommand(Array(arguments.dropFirst()))
case "twice": readTwiceCommand()
default:
  FileHandle.standardError.write(Data("unknown command \(arguments)\n".utf8))
  exit(64)
}
