internal import FoundationEssentials
internal import VaultCrypto

/// The edge to libraries that want pointers or hand out `Data`: what is secret leaves locked memory only for the
/// time of a call, and copies are wiped.
extension SecretBytes {
    /// Bytes that `body` writes; `outOfMemory` when it says that it could not.
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

    /// Moves what a library returned into locked memory, and wipes where it was.
    static func taking(_ data: inout Data) throws(SSHFormatError) -> SecretBytes {
        defer { unsafe data.withUnsafeMutableBytes { unsafe $0.wipe() } }
        return unsafe try making(data.count) { target in
            unsafe data.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
            return true
        }
    }
}

extension ByteSource where Self: ~Copyable {
    /// Passes the bytes to `body` as libraries take them; what `body` throws is `error` to the caller.
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

/// The errors of our primitives, under a name that swift-crypto does not have, too.
typealias PrimitiveError = CryptoError

/// Runs a primitive; its error is said as this module says it.
func translating<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(SSHFormatError) -> R {
    do throws(CryptoError) {
        return try body()
    } catch {
        throw SSHFormatError(error)
    }
}
