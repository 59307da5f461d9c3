public import RecordStore
public import VaultCrypto

/// Which records other programs read, and what of them: a password, not the record around it.
public struct NativeValues: Sendable {
    /// No records.
    public static let none = NativeValues(kinds: []) { _, _ in nil }

    let kinds: Set<RecordKind>
    let value: @Sendable (RecordInfo, Secret) -> Secret?

    /// Values of records of some kinds.
    ///
    /// - Parameters:
    ///   - kinds: Those whose records other programs read.
    ///   - value: The value that lies in a body; nil for a record that has none to show.
    public init(kinds: Set<RecordKind>, value: @escaping @Sendable (RecordInfo, Secret) -> Secret?) {
        self.kinds = kinds
        self.value = value
    }
}
