internal import FileStore
package import RecordStore

/// Whether a passphrase is typed now and then: one that is not is forgotten, and noticed when nothing else opens the vault.
package enum PassphraseUse {
    /// Seconds after which a use is written down again: a day.
    private static let span: Int64 = 86_400
    /// Seconds without a use after which it is worth a word: 90 days.
    private static let longest: Int64 = 90 * 86_400

    /// Whether the vault opens without a passphrase that it has, and no one has typed that for 90 days.
    ///
    /// - Parameters:
    ///   - slots: the key slots of the vault.
    ///   - typedAt: when one was typed, Unix seconds; nil where none is known.
    ///   - now: Unix seconds.
    /// - Returns: true where a word about it is due.
    package static func isForgotten(_ slots: [SlotInfo], typedAt: Int64?, now: Int64) -> Bool {
        guard slots.contains(where: { !$0.kind.isPortable }) else { return false }
        let made = slots.filter { $0.kind == .passphrase }.map { Int64(clamping: $0.created / 1_000) }.max()
        guard let made else { return false }
        return now - max(made, typedAt ?? 0) >= longest
    }

    /// Writes down that a passphrase was typed and opened the vault, at most once a day.
    ///
    /// It is a reminder and no more: what keeps it from being written is no failure of the act.
    package static func note(_ secret: Unlock, of vaultID: [UInt8], at locator: VaultLocator, now: Int64) {
        guard secret.kind == .passphrase, let record = try? locator.config.record(of: locator.place.key),
            record.id == vaultID
        else { return }
        if let last = record.passphraseTypedAt, (0..<span).contains(now - last) { return }
        _ = locator.config.remember(locator.place.key, of: vaultID) { $0.passphraseTypedAt = now }
    }
}
