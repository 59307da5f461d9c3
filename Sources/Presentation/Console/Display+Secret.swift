internal import System
package import Text
package import VaultCrypto

extension Display {
    /// The same for a secret text (a decrypted message): from locked memory to locked memory.
    ///
    /// Bytes that are no UTF-8 show as `\xff`.
    package func text(_ secret: borrowing some ByteSource & ~Copyable) throws(ConsoleError) -> SecretBytes {
        // The longest mark, ⟦U+10FFFF⟧, takes 14 bytes in place of at least one.
        var out = try SecretBuffer(limit: secret.count * 14 + 14)
        var failure: ConsoleError?
        walk(secret, hasLines: true) { scalar, mark in
            do throws(ConsoleError) {
                if let mark {
                    for byte in mark.utf8 { try out.append(byte) }
                } else if let scalar {
                    for byte in UTF8.encode(scalar) ?? .init() { try out.append(byte) }
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return try out.finish()
    }
}
