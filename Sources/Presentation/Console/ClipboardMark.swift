internal import Glibc
package import System
package import VaultCrypto

/// The order to empty the clipboard later: a keyed hash of the copied secret, with a key of its own.
///
/// The waiting process does not need the secret itself in its memory.
package struct ClipboardMark: Sendable {
    /// The size of the encoded mark in bytes.
    package static let size = 68
    /// The longest delay in seconds.
    package static let longest: UInt32 = 3_600

    private let key: [UInt8]
    private let hash: [UInt8]
    /// The delay in seconds.
    package let seconds: UInt32

    /// Creates the mark of a secret.
    package init(
        of secret: borrowing some ByteSource & ~Copyable,
        seconds: UInt32,
        entropy: Entropy
    ) throws(CryptoError) {
        key = entropy.bytes(32)
        hash = try KeyedHash.blake2b(secret, key: key, count: 32)
        self.seconds = min(seconds, Self.longest)
    }

    /// Reads a mark from a pipe; nil if the bytes are invalid.
    package init?(encoded: [UInt8]) {
        guard encoded.count == Self.size else { return nil }
        key = Array(encoded[0..<32])
        hash = Array(encoded[32..<64])
        seconds = encoded[64...].reduce(0) { $0 << 8 | UInt32($1) }
        guard seconds <= Self.longest else { return nil }
    }

    /// The bytes for a pipe.
    package var encoded: [UInt8] {
        key + hash + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seconds >> UInt32($0)) }
    }

    /// Whether some bytes are the copied secret.
    package func covers(_ bytes: [UInt8]) -> Bool {
        guard let found = try? KeyedHash.blake2b(bytes, key: key, count: 32) else { return false }
        return ConstantTime.equal(found, hash)
    }

    /// Starts a program that outlives this one and reads the mark from its standard input.
    ///
    /// - Parameters:
    /// - path: The file of the program.
    /// - arguments: The words after the program's own name.
    /// - environment: `NAME=value` each.
    /// - Throws: the system's error if the program cannot be started or does not read the mark.
    package func hand(to path: String, _ arguments: [String], _ environment: [String]) throws(ProgramError) {
        let pipe = try Pipe()
        defer { pipe.close() }
        _ = try ChildProcess.start(
            path,
            arguments,
            environment,
            input: pipe.readEnd,
            output: nil,
            leadsGroup: true
        )
        pipe.closeReadEnd()
        try Descriptor(pipe.writeEnd).write(encoded)
        pipe.closeWriteEnd()
    }
}
