package import Programs

/// Tells whether a long act should end.
package protocol Interruption {
    /// The signal that came, if one has; it is told once.
    var caught: Int32? { get }

    /// Ends the watch.
    func stop()
}

extension SignalWatch: Interruption {}
