/// The messages that several classes of tests compare whole.
extension TemporaryFolder {
  func notSaved(_ cause: String) -> String {
    """
    The preferences could not be saved in \(plist()): \(cause). The changes are kept in memory for the next save.
    """
  }
}
