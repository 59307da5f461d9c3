package import ArgumentParser

/// A command of `hsip`: words in, data out, talk on the side.
package protocol Command: ParsableCommand, Runnable {}

/// Something that a line of words asks for, ready to be done.
package protocol Runnable: SendableMetatype {
    /// The command without its arguments, as the JSON output names it: `vault slot add`.
    static var path: String { get }
    /// Whether it only reads, and so goes with `--old-copy`.
    static var readsOldCopies: Bool { get }

    /// Does it. Data goes through `context.output`; a thrown error becomes one line and an exit code.
    func run(_ context: Context) async throws
}

extension Runnable {
    package static var readsOldCopies: Bool { false }
}
