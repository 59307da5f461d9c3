package import Programs

/// Tells whether somebody wants a long act to end.
package protocol Interruption {
    /// The signal that came, if one has; it is told once.
    var caught: Int32? { get }

    /// Ends the watch.
    func stop()
}

extension SignalWatch: Interruption {}
