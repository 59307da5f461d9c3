internal import FileStore
package import RecordStore
package import VaultCrypto

/// A secret typed to open a vault: a passphrase, or a recovery code, which is recognised by its shape.
package enum TypedSecret {
    /// Makes the typed text the secret that opens the vault.
    ///
    /// Seven groups of four letters and digits are a recovery code; everything else is a passphrase.
    ///
    /// - Throws: `mistyped` for a recovery code whose check does not fit.
    package static func unlock(_ typed: borrowing SecretBytes) throws(StoreError) -> Unlock {
        if isRecoveryCode(typed) {
            do throws(CryptoError) {
                return .recovery(Secret(try RecoveryText.decode(typed)))
            } catch .outOfMemory {
                throw .outOfMemory
            } catch {
                throw .mistyped
            }
        }
        return .passphrase(try passphrase(typed))
    }

    /// The same of a secret that several hold.
    package static func unlock(_ typed: Secret) throws(StoreError) -> Unlock {
        let copy: SecretBytes
        do throws(CryptoError) { copy = try SecretBytes(copying: typed) } catch { throw .outOfMemory }
        return try unlock(copy)
    }

    /// A passphrase in normalisation form C.
    ///
    /// ASCII, which is what nearly everyone types, is in that form already and is copied within locked
    /// memory. For the rest, the standard library only normalises a `String`, which cannot be wiped. So the
    /// text is cut before every scalar that begins a letter, and one letter at a time goes through a
    /// `String` that is short enough to live on the stack and never on the heap.
    package static func passphrase(_ typed: borrowing SecretBytes) throws(StoreError) -> Secret {
        do throws(CryptoError) {
            guard typed.withBytes({ Self.hasOnlyASCII($0) }) else {
                return Secret(try NFC.normalized(typed))
            }
            return try Secret(copying: typed)
        } catch {
            throw .outOfMemory
        }
    }

    /// Seven groups of four digits or letters, hyphens or blanks between them, as init prints a recovery code.
    package static func isRecoveryCode(_ typed: borrowing SecretBytes) -> Bool {
        typed.withBytes { span in
            guard span.byteCount == RecoveryText.textSize else { return false }
            return (0..<span.byteCount).allSatisfy { index in
                let byte = span.byte(at: index)
                return switch byte {
                case 0x2D, 0x20: index % 5 == 4
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: index % 5 != 4
                default: false
                }
            }
        }
    }

    private static func hasOnlyASCII(_ span: RawSpan) -> Bool {
        (0..<span.byteCount).allSatisfy { span.byte(at: $0) < 0x80 }
    }
}

/// Normalisation form C of a secret text, from locked memory to locked memory.
package enum NFC {
    /// Bytes of one letter with its marks; more than anybody types.
    private static let longestPiece = 256

    /// The text in form C; bytes that are not UTF-8 stay as they are.
    package static func normalized(_ secret: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        // Form C is at most three times as long in UTF-8 (UAX #15).
        var out = try SecretBytes(count: secret.count * 3)
        var length = 0
        secret.withBytes { source in
            out.withMutableBytes { target in
                var start = 0
                while start < source.byteCount {
                    let end = pieceEnd(source, from: start)
                    for byte in piece(source, start..<end) {
                        target.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
                        length += 1
                    }
                    start = end
                }
            }
        }
        return try out.slice(0..<length)
    }

    private static func piece(_ source: RawSpan, _ range: Range<Int>) -> [UInt8] {
        var bytes = range.map { source.byte(at: $0) }
        guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self)
        else { return bytes }
        for index in bytes.indices { bytes[index] = 0 }
        return Array(NameRules.normalized(text).utf8)
    }

    /// Where the letter that begins at `start` ends: before the next scalar that never joins with what
    /// stands before it.
    private static func pieceEnd(_ source: RawSpan, from start: Int) -> Int {
        var end = start + 1
        while end < source.byteCount, end - start < longestPiece {
            if source.byte(at: end) & 0xC0 != 0x80, beginsLetter(source, at: end) { break }
            end += 1
        }
        return end
    }

    private static func beginsLetter(_ source: RawSpan, at offset: Int) -> Bool {
        guard source.byte(at: offset) >= 0x80 else { return true }
        var bytes: [UInt8] = []
        for index in offset..<min(offset + 4, source.byteCount) {
            if index > offset, source.byte(at: index) & 0xC0 != 0x80 { break }
            bytes.append(source.byte(at: index))
        }
        guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else { return true }
        return scalar.properties.canonicalCombiningClass == .notReordered
            && !scalar.properties.isGraphemeExtend && !joinsBefore(scalar)
    }

    /// Letters that compose with the one before them though they are no marks: the vowels and finals of
    /// Hangul, and the vowel signs of Kirat Rai.
    private static func joinsBefore(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1160...0x11FF, 0x16D63...0x16D6A: true
        default: false
        }
    }
}

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
