internal import Presentation
internal import System
internal import VaultCrypto

/// Reads the lines of an input one by one, as they arrive, into locked memory.
struct LineReader: ~Copyable {
    /// The most bytes in a message.
    private static let longest = OwnFile.textLimit
    private static let chunkSize = 16 << 10

    private enum Input {
        case descriptor(Descriptor)
        case text(Secret)
    }

    private let input: Input
    private var chunk: SecretBytes
    private var place = 0
    private var filled = 0
    /// The number of bytes of the text that are already in the chunk.
    private var taken = 0

    /// Reads the lines of a descriptor.
    init(_ descriptor: Descriptor) throws(CryptoError) {
        input = .descriptor(descriptor)
        chunk = try SecretBytes(count: Self.chunkSize)
    }

    /// Reads the lines of a text in memory.
    init(_ text: Secret) throws(CryptoError) {
        input = .text(text)
        chunk = try SecretBytes(count: Self.chunkSize)
    }

    /// The next line without its line feed; nil at the end.
    ///
    /// The last line may lack a line feed.
    ///
    /// - Throws: `tooLarge` for a line above 1 MiB.
    mutating func next() throws(ConsoleError) -> SecretBytes? {
        var line = try SecretBuffer(limit: Self.longest)
        var isEmpty = true
        while let byte = try nextByte() {
            if byte == 0x0A { return try line.finish() }
            isEmpty = false
            try line.append(byte)
        }
        return isEmpty ? nil : try line.finish()
    }

    private mutating func nextByte() throws(ConsoleError) -> UInt8? {
        if place == filled {
            filled = try fill()
            place = 0
            guard filled > 0 else { return nil }
        }
        defer { place += 1 }
        return chunk.withBytes { $0.byte(at: place) }
    }

    private mutating func fill() throws(ConsoleError) -> Int {
        switch input {
        case .descriptor(let descriptor):
            return try chunk.withMutableBytes { (span) throws(ConsoleError) in
                try descriptor.read(into: &span)
            }
        case .text(let text):
            let (start, count) = (taken, min(Self.chunkSize, text.count - taken))
            chunk.withMutableBytes { target in
                text.withBytes { source in
                    for index in 0..<count {
                        target.storeBytes(
                            of: source.byte(at: start + index),
                            toByteOffset: index,
                            as: UInt8.self
                        )
                    }
                }
            }
            taken += count
            return count
        }
    }
}
