package import RecordStore
package import VaultCrypto

/// What was typed to open a vault: a passphrase, or a recovery code, which is known by its shape.
package enum TypedSecret {
    /// The secret as the vault takes it.
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
