internal import Synchronization

/// The text of an issue about a group.
extension DefaultsIssue {
  private static let unreflected = Mutex<Set<ObjectIdentifier>>([])

  /// Reports, once for each type, that reflection finds no property of a group.
  static func reportUnreflected(_ group: Any.Type) {
    guard unreflected.withLock({ $0.insert(ObjectIdentifier(group)).inserted }) else { return }
    Self(
      kind: .missingMetadata, key: nil,
      message: """
        Reflection finds no setting of \(group), so that a list, an export, an import and a reset of the \
        group have no effect. Compile the program without -disable-reflection-metadata.
        """
    ).report()
  }
}
