/// How far a backup was read when it was made, or later.
package enum BackupCheck: String, Sendable {
    /// Every record was opened with the keys, and is sound: only after such a check an older one is removed.
    case full
    /// Without the keys: pages, tables, and the head of the vault that it is of.
    case structure
    /// With the keys: the copy has damaged records, as the vault has them.
    case damaged
}
