internal import Glibc
package import System
package import VaultCrypto

/// What a process that empties the clipboard later knows of what it may empty: a hash under a key of its own.
///
/// The secret itself would lie about in its memory for as long as it waits.
package struct ClipboardMark: Sendable {
    /// Bytes of its encoding.
    package static let size = 68
    /// The longest that it waits, in seconds.
    package static let longest: UInt32 = 3_600

    private let key: [UInt8]
    private let hash: [UInt8]
    /// After how many seconds.
    package let seconds: UInt32

    /// The mark of a secret.
    package init(
        of secret: borrowing some ByteSource & ~Copyable,
        seconds: UInt32,
        entropy: Entropy
    ) throws(CryptoError) {
        key = entropy.bytes(32)
        hash = try KeyedHash.blake2b(secret, key: key, count: 32)
        self.seconds = min(seconds, Self.longest)
    }

    /// A mark as it came through a pipe; nil for anything else.
    package init?(encoded: [UInt8]) {
        guard encoded.count == Self.size else { return nil }
        key = Array(encoded[0..<32])
        hash = Array(encoded[32..<64])
        seconds = encoded[64...].reduce(0) { $0 << 8 | UInt32($1) }
        guard seconds <= Self.longest else { return nil }
    }

    /// As it goes through a pipe.
    package var encoded: [UInt8] {
        key + hash + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: seconds >> UInt32($0)) }
    }

    /// Whether some bytes are what was copied.
    package func covers(_ bytes: [UInt8]) -> Bool {
        guard let found = try? KeyedHash.blake2b(bytes, key: key, count: 32) else { return false }
        return ConstantTime.equal(found, hash)
    }

    /// Starts a program that outlives this one and gets the mark on its standard input.
    ///
    /// - Parameters:
    ///   - path: The file of the program.
    ///   - arguments: The words after the program's own name.
    ///   - environment: `NAME=value` each.
    /// - Throws: What the system says when the program cannot be started or does not take the mark.
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
