package import VaultCrypto

/// Locked memory that grows while a secret is typed or read, and ends with exactly its size.
package struct SecretBuffer: ~Copyable {
    /// The number of bytes in the buffer.
    package private(set) var count = 0
    private let limit: Int
    private var bytes: SecretBytes

    /// Makes an empty buffer that accepts at most `limit` bytes.
    package init(limit: Int) throws(ProgramError) {
        self.limit = limit
        bytes = try Self.memory(min(limit, 4096))
    }

    /// Adds one byte.
    ///
    /// - Throws: `tooLarge` above the limit.
    package mutating func append(_ byte: UInt8) throws(ProgramError) {
        guard count < limit else { throw .tooLarge(limit: limit) }
        if count == bytes.count {
            try grow()
        }
        let place = count
        bytes.withMutableBytes { span in
            span.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        count += 1
    }

    /// Adds all bytes of a descriptor, up to its end.
    package mutating func append(allOf descriptor: Descriptor) throws(ProgramError) {
        var chunk = try Self.memory(64 << 10)
        while true {
            let got = try chunk.withMutableBytes { span throws(ProgramError) in
                try descriptor.read(into: &span)
            }
            guard got > 0 else { return }
            try chunk.withBytes { span throws(ProgramError) in try append(span.extracting(0..<got)) }
        }
    }

    /// Adds bytes.
    ///
    /// - Throws: `tooLarge` above the limit; the buffer is unchanged then.
    package mutating func append(_ more: RawSpan) throws(ProgramError) {
        guard more.byteCount <= limit - count else { throw .tooLarge(limit: limit) }
        while bytes.count - count < more.byteCount { try grow() }
        let place = count
        bytes.withMutableBytes { target in
            unsafe target.withUnsafeMutableBytes { target in
                unsafe more.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[place...]).copyMemory(from: $0)
                }
            }
        }
        count += more.byteCount
    }

    /// Removes the last UTF-8 scalar, as Backspace does.
    package mutating func removeLastScalar() {
        while count > 0 {
            let last = byte(at: count - 1)
            clear(from: count - 1)
            if last & 0xC0 != 0x80 { return }
        }
    }

    /// Removes and wipes all bytes from `start` on.
    package mutating func clear(from start: Int = 0) {
        let end = count
        bytes.withMutableBytes { span in
            for index in start..<end {
                span.storeBytes(of: 0, toByteOffset: index, as: UInt8.self)
            }
        }
        count = min(count, start)
    }

    /// The byte at `index`.
    package borrowing func byte(at index: Int) -> UInt8 {
        bytes.withBytes { $0.byte(at: index) }
    }

    /// Returns the bytes in memory of exactly their size.
    package consuming func finish() throws(ProgramError) -> SecretBytes {
        try copy(count)
    }

    private mutating func grow() throws(ProgramError) {
        bytes = try copy(min(max(bytes.count * 2, 4096), limit))
    }

    private borrowing func copy(_ size: Int) throws(ProgramError) -> SecretBytes {
        var fresh = try Self.memory(size)
        let used = count
        bytes.withBytes { source in
            fresh.withMutableBytes { target in
                unsafe target.withUnsafeMutableBytes { target in
                    unsafe source.extracting(0..<min(used, size)).withUnsafeBytes {
                        unsafe target.copyMemory(from: $0)
                    }
                }
            }
        }
        return fresh
    }

    /// Allocates locked memory, and throws an error of this module.
    package static func memory(_ size: Int) throws(ProgramError) -> SecretBytes {
        do throws(CryptoError) {
            return try SecretBytes(count: size)
        } catch {
            throw .outOfMemory
        }
    }
}
