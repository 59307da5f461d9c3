internal import Secrets

/// How much of the items of programs a vault keeps.
package enum ItemLimits {
    /// Items in all.
    package static let items = 20_000
    /// Items of one owner: a program cannot fill the vault for the others.
    package static let itemsOfOwner = 10_000
    /// Bytes of all items together, 256 MiB.
    package static let bytes = 256 << 20
    /// Bytes of the items of one owner, 64 MiB.
    package static let bytesOfOwner = 64 << 20
    /// Bytes in the trash of one owner that its own acts fill, 64 MiB; the oldest go.
    package static let removedBytes = 64 << 20
    /// Items in the trash; the oldest go.
    package static let removed = 1_000
    /// Collections with a record.
    package static let collections = 64
    /// Bytes of a value, 1 MiB.
    package static let value = SealedValue.longest
    /// The last second of the year 9999: no end is later.
    package static let latestEnd: UInt64 = 253_402_300_799
}
