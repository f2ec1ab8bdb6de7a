/// The stored object of a key, or nothing.
struct Stored: Equatable {
  let object: PropertyListObject?
}
