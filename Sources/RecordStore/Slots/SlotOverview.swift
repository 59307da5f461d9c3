/// A key slot as the file shows it before the vault is unlocked; its label is sealed with the rest.
///
/// The vault does not vouch for it yet.
public struct SlotOverview: Equatable, Sendable {
    /// Its number in this vault.
    public let number: UInt32
    /// How it is opened, perhaps by a kind that this program does not know.
    public let kind: SlotKind
    /// The security key or TPM that opens it; nil for other kinds, and for a slot that cannot be read.
    public let device: SlotDevice?
    /// 16 bytes that go into the secret of such a slot; empty for other kinds.
    package let salt: [UInt8]

    /// What a stored slot shows.
    package init(_ row: SlotRow) {
        number = row.number
        kind = row.kind
        if case .device(let carried, let found)? = try? SlotParams(row) {
            (device, salt) = (found, carried.salt)
        } else {
            (device, salt) = (nil, [])
        }
    }
}
