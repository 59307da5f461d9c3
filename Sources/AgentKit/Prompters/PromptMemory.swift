internal import System
internal import VaultCrypto

/// Locked memory for what a person types, with the errors of a prompter.
enum PromptMemory {
    /// Bytes that a passphrase may have.
    static let longest = PassphraseFile.limit

    static func bytes(_ size: Int) throws(PromptError) -> SecretBytes {
        do throws(CryptoError) { return try SecretBytes(count: size) } catch { throw .noResources }
    }

    static func buffer(_ limit: Int = longest) throws(PromptError) -> SecretBuffer {
        do throws(ProgramError) { return try SecretBuffer(limit: limit) } catch { throw .noResources }
    }

    /// - Throws: `tooLong` above the buffer's limit.
    static func append(_ byte: UInt8, to buffer: inout SecretBuffer) throws(PromptError) {
        do throws(ProgramError) {
            try buffer.append(byte)
        } catch {
            throw error == .outOfMemory ? .noResources : .tooLong
        }
    }

    static func finish(_ buffer: consuming SecretBuffer) throws(PromptError) -> SecretBytes {
        do throws(ProgramError) { return try buffer.finish() } catch { throw .noResources }
    }
}
