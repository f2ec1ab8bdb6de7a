/// The stored object of a key, or nothing.
enum Stored: Equatable {
  case nothing
  case object(PropertyListObject)

  init(_ object: PropertyListObject?) {
    self = object.map { .object($0) } ?? .nothing
  }

  var object: PropertyListObject? {
    switch self {
    case .nothing: nil
    case .object(let object): object
    }
  }
}
