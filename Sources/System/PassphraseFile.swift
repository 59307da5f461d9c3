internal import Files
internal import Glibc
package import VaultCrypto

/// Reads a passphrase from the first line of a file or descriptor, in place of asking a person.
package enum PassphraseFile {
    /// The most bytes that a passphrase file may have.
    package static let limit = 4_096

    /// The first line of a file that only the user can read.
    ///
    /// - Throws: `unsafeFile` if the file is another user's, shared with others, not a regular file or has an empty first
    ///   line; `tooLarge` above 4 KiB.
    package static func read(_ path: String) throws(ProgramError) -> SecretBytes {
        let file = try OpenFile(path, O_RDONLY, followsLinks: true)
        let facts = try file.facts()
        guard facts.isOwn else { throw .unsafeFile(.notMine) }
        guard !facts.isShared else { throw .unsafeFile(.readableByOthers) }
        var buffer = try SecretBuffer(limit: limit)
        try file.use { (descriptor) throws(ProgramError) in try buffer.append(allOf: descriptor) }
        var end = 0
        while end < buffer.count, buffer.byte(at: end) != 0x0A { end += 1 }
        return try line(buffer, end)
    }

    /// The next line of a descriptor; no byte after that line is read.
    package static func read(descriptor: Descriptor) throws(ProgramError) -> SecretBytes {
        var buffer = try SecretBuffer(limit: limit)
        var byte = try SecretBuffer.memory(1)
        while true {
            let got = try byte.withMutableBytes { span throws(ProgramError) in
                try descriptor.read(into: &span)
            }
            let next = byte.withBytes { $0.byte(at: 0) }
            guard got > 0, next != 0x0A else { break }
            try buffer.append(next)
        }
        return try line(buffer, buffer.count)
    }

    /// The line without the carriage return of a file from another system.
    private static func line(_ buffer: consuming SecretBuffer, _ end: Int) throws(ProgramError) -> SecretBytes
    {
        var end = end
        if end > 0, buffer.byte(at: end - 1) == 0x0D { end -= 1 }
        guard end > 0 else { throw .unsafeFile(.empty) }
        buffer.clear(from: end)
        return try buffer.finish()
    }
}
