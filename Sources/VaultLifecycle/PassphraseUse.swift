internal import FileStore
package import RecordStore

/// Notes when a passphrase is typed: a person may forget a rarely typed one, and notice only when nothing else opens.
package enum PassphraseUse {
    /// Seconds after which a use is recorded again: a day.
    private static let span: Int64 = 86_400
    /// Seconds without a use after which a reminder is due: 90 days.
    private static let longest: Int64 = 90 * 86_400

    /// Whether the vault has a passphrase, opens without it, and nobody has typed it for 90 days.
    ///
    /// - Parameters:
    ///   - slots: the key slots of the vault.
    ///   - typedAt: when a passphrase was typed, Unix seconds; nil if that is not known.
    ///   - now: Unix seconds.
    /// - Returns: true if a reminder is due.
    package static func isForgotten(_ slots: [SlotInfo], typedAt: Int64?, now: Int64) -> Bool {
        guard slots.contains(where: { !$0.kind.isPortable }) else { return false }
        let made = slots.filter { $0.kind == .passphrase }.map { Int64(clamping: $0.created / 1_000) }.max()
        guard let made else { return false }
        return now - max(made, typedAt ?? 0) >= longest
    }

    /// Records that a passphrase was typed and opened the vault, at most once a day.
    ///
    /// The record only serves a reminder: a failure to write it is ignored.
    package static func note(_ secret: Unlock, of vaultID: [UInt8], at locator: VaultLocator, now: Int64) {
        guard secret.kind == .passphrase, let record = try? locator.config.record(of: locator.place.key),
            record.id == vaultID
        else { return }
        if let last = record.passphraseTypedAt, (0..<span).contains(now - last) { return }
        _ = locator.config.remember(locator.place.key, of: vaultID) { $0.passphraseTypedAt = now }
    }
}
