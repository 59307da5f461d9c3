package import Presentation
internal import System
package import VaultCrypto

extension SecretBytes {
    /// The text without its last line feed, if that is the only one.
    package consuming func withoutLastLineFeed() throws(ConsoleError) -> Secret {
        let count = count
        let isOneLine = withBytes { bytes in
            count > 0 && bytes.byte(at: count - 1) == 0x0A
                && (0..<count - 1).allSatisfy { bytes.byte(at: $0) != 0x0A }
        }
        guard isOneLine else { return Secret(self) }
        do throws(CryptoError) {
            return Secret(try slice(0..<count - 1))
        } catch {
            throw .outOfMemory
        }
    }
}
