/// The first fault of a property list: its line or byte, and what is wrong there.
struct Unreadable: Error, CustomStringConvertible {
  let description: String
}
