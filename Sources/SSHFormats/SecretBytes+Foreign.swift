internal import FoundationEssentials
internal import VaultCrypto

/// Helpers for libraries that need pointers or return `Data`.
///
/// Secret bytes leave locked memory only during a call, and copies are wiped.
extension SecretBytes {
    /// Creates bytes that `body` writes; throws `outOfMemory` if it reports a failure.
    static func making(
        _ count: Int,
        _ body: (UnsafeMutableRawBufferPointer) -> Bool
    ) throws(SSHFormatError) -> SecretBytes {
        var isWritten = false
        let secret: SecretBytes
        do throws(CryptoError) {
            secret = try SecretBytes(count: count) { span throws(CryptoError) in
                isWritten = unsafe span.withUnsafeMutableBytes { unsafe body($0) }
            }
        } catch {
            throw SSHFormatError(error)
        }
        guard isWritten else { throw .outOfMemory }
        return secret
    }

    /// Moves a library's result into locked memory and wipes the original.
    static func taking(_ data: inout Data) throws(SSHFormatError) -> SecretBytes {
        defer { unsafe data.withUnsafeMutableBytes { unsafe $0.wipe() } }
        return unsafe try making(data.count) { target in
            unsafe data.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            return true
        }
    }
}

extension ByteSource where Self: ~Copyable {
    /// Passes the bytes to `body` in the form that libraries accept; any error of `body` becomes `error`.
    borrowing func lending<R>(
        or error: SSHFormatError,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws(SSHFormatError) -> R {
        let result: R? = withBytes { span in
            unsafe span.withUnsafeBytes { unsafe try? body($0) }
        }
        guard let result else { throw error }
        return result
    }
}

/// The errors of our primitives, under a name that swift-crypto does not use.
typealias PrimitiveError = CryptoError

/// Runs a primitive and converts its error to an error of this module.
func translating<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(SSHFormatError) -> R {
    do throws(CryptoError) {
        return try body()
    } catch {
        throw SSHFormatError(error)
    }
}
