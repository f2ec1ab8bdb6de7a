/// What is stored under a key.
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
