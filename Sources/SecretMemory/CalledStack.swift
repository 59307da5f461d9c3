internal import CSodium

/// The part of the stack that a call which has returned was in.
public enum CalledStack {
    /// Bytes that are overwritten: more than the frames of a call into a cipher of another library take.
    private static let size = 16 << 10

    /// Overwrites what called functions left on the stack below the caller (`sodium_stackzero`).
    ///
    /// For libraries that keep a key schedule in a local variable and do not wipe it. It does what can be done: what the
    /// compiler keeps in registers or in the caller's own frame stays.
    public static func wipe() {
        sodium_stackzero(size)
    }
}
