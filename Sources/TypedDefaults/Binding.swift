#if canImport(SwiftUI)
  public import SwiftUI

  extension WrappedDefault {
    /// A binding to the value.
    ///
    /// ```swift
    /// Toggle("Hints", isOn: settings.$showsHints.binding)
    /// ```
    public var binding: Binding<T> {
      Binding {
        wrappedValue
      } set: {
        wrappedValue = $0
      }
    }
  }

  extension WrappedDefaultOptional {
    /// A binding to the value, which is `nil` while nothing is stored.
    public var binding: Binding<T?> {
      Binding {
        wrappedValue
      } set: {
        wrappedValue = $0
      }
    }
  }
#endif
