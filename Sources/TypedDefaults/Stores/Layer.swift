/// A layer that the value of a setting may come from. An upper layer hides those beneath.
///
/// A store names its layers in their order, and returns the objects of each. All else follows from
/// the layer: the source of a value, the words of a message, and what counts as stored.
struct Layer: Equatable, Sendable {
  let source: SettingSource
  /// The words before and after the name of a key.
  let before: String
  var after = ""
  /// What to do about an object that cannot be decoded; empty if that depends on the setting.
  var advice = ""
  /// The ends of the names of the files in which an administrator keeps the objects, if one does.
  var fileSuffix: String?

  static let managed = Layer(
    source: .managed, before: "The managed value of \"", after: "\"",
    advice: "An administrator can correct the value.", fileSuffix: ".managed" + FileFormat.suffix)

  static let argument = Layer(
    source: .launchArgument, before: "The launch argument -",
    advice: "Correct the argument, or leave it out.")
  static let environment = Layer(
    source: .environment, before: "The environment variable ",
    advice: "Correct the variable, or unset it.")
  static let stored = Layer(source: .stored, before: "The stored value of \"", after: "\"")
  static let system = Layer(
    source: .system, before: "The system value of \"", after: "\"",
    advice: "An administrator can correct the value.", fileSuffix: FileFormat.suffix)
  static let registered = Layer(
    source: .defaultValue, before: "The registered default of \"", after: "\"",
    advice: "Register a default that can be read.")

  /// The layers of a store that is kept in a file.
  static let ofFile = [managed, argument, environment, stored, system, registered]

  /// The words for an object of the layer.
  func subject(_ name: String) -> String { before + name + after }
}

/// An object of a setting, with its layer and the name under which it was found.
struct Found: Equatable, Sendable {
  let layer: Layer
  let name: String
  let object: PropertyListObject

  /// Whether a person has typed it.
  var isTyped: Bool { layer == .argument || layer == .environment }
}
