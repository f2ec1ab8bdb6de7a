/// The stored object of a key, or nothing.
enum Stored: Equatable {
  case nothing
  case object(PropertyListObject)

  var object: PropertyListObject? {
    switch self {
    case .nothing: nil
    case .object(let object): object
    }
  }
}
