/// What the library does otherwise as yet. To be emptied.
enum NotYet {
  /// 18.7: where the group that was read is gone, Observation is not told of a change of its key.
  case tracksOfGroupsThatAreGone
  /// 17.11: in a subclass, a transaction of several keys is not undone (`storedObjects(in:)` finds none).
  case undoInSubclasses
  /// Foundation's class: an argument by a former name is not seen if it comes after the own key is stored.
  case lateArgumentsOfFormerKeys

  /// 17.16: an import passes former keys over.
  case importsOfFormerKeys
  /// 17.19: an import without a setting leaves the copy of what could not be decoded.
  case importsThatRemoveCopies
  /// 17.24: Foundation's class: Observation is told of the first reset of nothing.
  case silenceOfFirstChanges
  /// 17.10: a registered default beneath an argument is not seen in a `DefaultsStore`.
  case registeredBeneathArguments
  /// 17.30: Foundation's class: no copy where a raw change has come since the last read.
  case copiesAfterRawChanges
  /// 17.19: no copy of the first former key's object where the second can be decoded.
  case copiesOfFirstFormerKeys
  /// 17.24: where raw changes are not heard, a change back to what the library has set last is not told.
  case newsAfterRawChanges

  static let all: Set<NotYet> = [
    .tracksOfGroupsThatAreGone, .undoInSubclasses, .lateArgumentsOfFormerKeys,
    .importsOfFormerKeys, .copiesOfFirstFormerKeys, .newsAfterRawChanges, .copiesAfterRawChanges,
    .importsThatRemoveCopies, .silenceOfFirstChanges,
    .registeredBeneathArguments,
  ]
}

extension ModelSettings {
  /// Whether the operation is left out for now.
  static func notYet(_ operation: Operation, on kind: StoreKind) -> Bool {
    switch operation {
    // Of such a store, what an argument hides is unknown, and whether an object is registered or stored.
    case .register, .raw(_, .int(4)?), .raw(_, .int(1)?),
      .argument where kind == .subclass:
      true
    case .argument(let key, _):
      NotYet.all.contains(.lateArgumentsOfFormerKeys) && kind == .foundation
        && declared("").contains { $0.formerKeys.contains { key.hasSuffix($0) } }
    case .importObjects(let objects):
      NotYet.all.contains(.importsOfFormerKeys)
        && declared("").contains {
          $0.formerKeys.contains { key in objects.keys.contains { $0.hasSuffix(key) } }
        }
    case .transaction(let operations, let throwing):
      NotYet.all.contains(.undoInSubclasses) && throwing
        && (kind == .subclass || kind == .defaultsStore)
        || operations.contains { notYet($0, on: kind) }
    default: false
    }
  }
}
