#if canImport(SwiftUI)
  public import SwiftUI

  extension WrappedDefault {
    /// A SwiftUI binding to the value, which stores what a control assigns.
    ///
    /// ```swift
    /// Toggle("Hints", isOn: settings.$showsHints.binding)
    /// ```
    public var binding: Binding<T> {
      Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
    }
  }

  extension WrappedDefaultOptional {
    /// A SwiftUI binding to the value, which is `nil` while no source has one.
    public var binding: Binding<T?> {
      Binding(get: { wrappedValue }, set: { wrappedValue = $0 })
    }
  }
#endif
