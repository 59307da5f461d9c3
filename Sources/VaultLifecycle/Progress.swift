/// Receives each step of a long operation: a program shows long steps, a test can stop at any step.
package protocol Progress {
    /// Runs one step, and rethrows its errors.
    func during<R, E: Error>(_ step: LifecycleStep, _ body: () throws(E) -> R) throws(E) -> R
}

/// The steps of a vault's life that can be seen from outside.
package enum LifecycleStep: CaseIterable, Sendable {
    /// A passphrase is stretched to the key that opens a slot.
    case derivingKey
    /// A new vault file is made, with the keys of its slots.
    case makingFile
    /// A key slot is written, with its key.
    case writingSlot
    // A migration, in this order.
    /// `config.json` says what is about to be made.
    case writingNote
    /// A file at the path of the new one is set aside.
    case makingRoom
    case copyingRecords, comparingRecords
    /// The anchor is raised: from then on the copy is the vault.
    case claiming
    /// `config.json` says where the vault is now.
    case writingRecord
    /// A backup is written and read whole.
    case backingUp
    /// Every record is sealed under a new vault key, read back, and swapped in.
    case rekeying
}

/// Shows nothing.
package struct NoProgress: Progress {
    package init() {}

    package func during<R, E: Error>(
        _ step: LifecycleStep,
        _ body: () throws(E) -> R
    ) throws(E) -> R { try body() }
}
