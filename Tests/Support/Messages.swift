/// The messages that several classes of tests compare whole.
extension TemporaryFolder {
  func notSaved(_ cause: String) -> String {
    """
    The preferences could not be saved in \(plist()): \(cause). The changes are kept in memory for the next save.
    """
  }
}

/// What is said of an argument, or of a stored value, that cannot be read.
enum Unreadable {
  static func argument(
    _ name: String, as type: String, _ fault: String, returns value: String
  ) -> String {
    """
    The launch argument -\(name) cannot be read as \(type): \(fault). The setting returns \(value). Correct the \
    argument, or leave it out.
    """
  }

  static func stored(
    _ key: String, as type: String, _ fault: String, returns value: String
  ) -> String {
    """
    The stored value of "\(key)" cannot be read as \(type): \(fault). The setting returns \(value). Assign a \
    value, which keeps the old one as "\(key).undecodable", or reset the setting.
    """
  }
}
