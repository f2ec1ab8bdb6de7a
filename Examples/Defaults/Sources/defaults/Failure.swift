/// A reason for which the command ends without having done what it was asked for.
struct Failure: Error, CustomStringConvertible {
  let description: String

  /// The words are no command: the usage is printed, and the status is another one.
  static let usage = Self("")

  init(_ description: String) {
    self.description = description
  }

  static func missing(_ domain: String) -> Self { Self("Domain \(domain) does not exist") }

  static func missing(_ domain: String, _ key: String) -> Self {
    Self("The domain/default pair of (\(domain), \(key)) does not exist")
  }
}
