import HSIP
import Testing
import VaultCrypto

/// Files for a contact (Schemas/file-container.md): known answers, and everything that can be done to one.
struct FileContainerTests {
    private static let fileKey = [UInt8](repeating: 9, count: MessagePurpose.fileKeySize)
    private static let plain = FileChunks.plainSize
    private static let sealed = FileChunks.sealedSize

    private func header(_ key: [UInt8] = fileKey) throws(HSIPError) -> FileHeader {
        try FileHeader(
            keyMessage: try MessageCipher.seal(
                key,
                key: Sample.key,
                sender: Sample.sender,
                nonce: Sample.nonce,
                purpose: .fileKey
            )
        )
    }

    /// A run of chunks, sealed.
    private func sealing(
        _ plaintext: [UInt8],
        _ chunks: FileChunks,
        first: UInt64 = 0,
        isLast: Bool = true
    ) throws(HSIPError) -> [UInt8] {
        var output = try room(FileChunks.sealedCount(of: plaintext.count))
        let count = try plaintext.withBytes { plain throws(HSIPError) in
            try output.withMutableBytes { room throws(HSIPError) in
                try chunks.seal(plain, first: first, isLast: isLast, into: &room)
            }
        }
        #expect(count == output.count)
        return output.withBytes { $0.copied() }
    }

    private func sealing(_ plaintext: [UInt8], _ header: FileHeader) throws(HSIPError) -> [UInt8] {
        try sealing(plaintext, FileChunks(header: header, fileKey: Self.fileKey))
    }

    private func room(_ count: Int) throws(HSIPError) -> SecretBytes {
        do { return try SecretBytes(count: count) } catch { throw HSIPError(error) }
    }

    /// The plaintext of the chunks behind a header, all of them at once.
    private func opening(
        _ body: [UInt8],
        _ header: FileHeader,
        key: [UInt8] = fileKey
    ) throws(HSIPError) -> [UInt8] {
        let chunks = try FileChunks(header: header, fileKey: key)
        var output = try room(body.count)
        let count = try body.withBytes { sealed throws(HSIPError) in
            try output.withMutableBytes { room throws(HSIPError) in
                try chunks.open(sealed, first: 0, isLast: true, into: &room)
            }
        }
        return output.withBytes { Array($0.copied()[..<count]) }
    }

    private func refused(_ body: [UInt8], _ header: FileHeader, key: [UInt8] = fileKey) -> HSIPError? {
        refusal { () throws(HSIPError) in _ = try opening(body, header, key: key) }
    }

    @Test func `files are sealed byte for byte as in the vectors, and opened`() throws {
        let vector = try FileVector.load()
        let sender = try #require(PeerID(bytes: FileVector.bytes(vector.sender)))
        let fileKey = FileVector.bytes(vector.file_key)
        let message = try MessageCipher.seal(
            fileKey,
            key: FileVector.bytes(vector.message_key),
            sender: sender,
            nonce: FileVector.bytes(vector.nonce),
            purpose: .fileKey
        )
        let header = try FileHeader(keyMessage: message)
        #expect(header.bytes == FileVector.bytes(vector.header))
        #expect(try FileHeader(bytes: header.bytes) == header)
        let chunks = try FileChunks(header: header, fileKey: fileKey)
        #expect(vector.cases.count == 8)
        for expected in vector.cases {
            let plaintext = FileVector.plaintext(expected.size)
            let body = try sealing(plaintext, chunks)
            let whole = header.bytes + body
            #expect(whole.count == expected.sealed_size)
            #expect(Hex.encode(Hash.sha256(whole)) == expected.sealed_sha256)
            #expect(
                whole.suffix(min(32, whole.count - FileHeader.size))
                    == FileVector.bytes(expected.last_bytes)[...]
            )
            #expect(try opening(body, header, key: fileKey) == plaintext)
        }
        #expect(try header.bytes + sealing([], chunks) == FileVector.bytes(vector.empty_file))
    }

    @Test func `a run of chunks sealed by itself is the same as sealed with the others`() throws {
        let header = try header()
        let plaintext = FileVector.plaintext(3 * Self.plain + 100)
        let whole = try sealing(plaintext, header)
        let chunks = try FileChunks(header: header, fileKey: Self.fileKey)
        for (first, range) in [
            (0, 0..<Self.plain), (1, Self.plain..<3 * Self.plain), (3, 3 * Self.plain..<plaintext.count),
        ] {
            let isLast = range.upperBound == plaintext.count
            let output = try sealing(Array(plaintext[range]), chunks, first: UInt64(first), isLast: isLast)
            let start = first * Self.sealed
            #expect(output[...] == whole[start..<start + output.count])
        }
    }

    @Test func `a file cut anywhere does not open`() throws {
        let header = try header()
        let whole = try sealing(FileVector.plaintext(2 * Self.plain + 40), header)
        // Every cut near an end of a chunk, and some in the middle of each.
        var cuts: Set<Int> = [1, 1000, Self.sealed + 1000]
        for edge in [0, Self.sealed, 2 * Self.sealed, whole.count] {
            for distance in -20...20 where (0..<whole.count).contains(edge + distance) {
                cuts.insert(edge + distance)
            }
        }
        for cut in cuts {
            let found = refused(Array(whole[..<cut]), header)
            let isCertain = cut % Self.sealed < 16
            #expect(found == (isCertain ? .fileCut : .fileChanged), "cut at \(cut)")
        }
    }

    @Test func `chunks that are swapped, repeated, left out or added are found`() throws {
        let header = try header()
        let whole = try sealing(FileVector.plaintext(3 * Self.plain + 40), header)
        let pieces = (0..<4).map { Array(whole[$0 * Self.sealed..<min(whole.count, ($0 + 1) * Self.sealed)]) }
        for one in 0..<4 {
            for other in 0..<4 where one != other {
                var swapped = pieces
                swapped.swapAt(one, other)
                #expect(refused(Array(swapped.joined()), header) != nil)
                var repeated = pieces
                repeated[one] = pieces[other]
                #expect(refused(Array(repeated.joined()), header) != nil)
            }
            var without = pieces
            without.remove(at: one)
            #expect(refused(Array(without.joined()), header) == (one == 3 ? .fileCut : .fileChanged))
            var twice = pieces
            twice.insert(pieces[one], at: one)
            #expect(refused(Array(twice.joined()), header) == .fileChanged)
        }
        for more in [1, 15, 16, 17, Self.sealed] {
            #expect(refused(whole + [UInt8](repeating: 0, count: more), header) == .fileChanged)
        }
        #expect(try opening(whole, header).count == 3 * Self.plain + 40)
    }

    @Test func `a flipped bit anywhere is found, in the header as well`() throws {
        let header = try header()
        let whole = try sealing(FileVector.plaintext(Self.plain + 40), header)
        let places =
            Array(0..<24) + [Self.plain - 1, Self.plain, Self.sealed - 1] + Array(Self.sealed..<whole.count)
        for place in places {
            for bit in [0, 7] {
                var changed = whole
                changed[place] ^= 1 << bit
                #expect(refused(changed, header) == .fileChanged)
            }
        }
        for place in FileHeader.magic.count..<FileHeader.size {
            var bytes = header.bytes
            bytes[place] ^= 1
            guard let other = try? FileHeader(bytes: bytes) else { continue }
            #expect(refused(whole, other) == .fileChanged, "byte \(place) of the header")
        }
        var key = Self.fileKey
        key[0] ^= 1
        #expect(refused(whole, header, key: key) == .fileChanged)
    }

    @Test func `after a refusal nothing of the chunk at fault is in memory`() throws {
        let header = try header()
        let body = try sealing(FileVector.plaintext(Self.plain), header) + [0]
        let chunks = try FileChunks(header: header, fileKey: Self.fileKey)
        var output = try room(body.count)
        let found = refusal { () throws(HSIPError) in
            _ = try body.withBytes { sealed throws(HSIPError) in
                try output.withMutableBytes { room throws(HSIPError) in
                    try chunks.open(sealed, first: 0, isLast: true, into: &room)
                }
            }
        }
        #expect(found == .fileChanged)
        let left = output.withBytes { $0.copied() }
        #expect(left.allSatisfy { $0 == 0 })
    }

    @Test func `an empty chunk stands only in an empty file`() throws {
        let header = try header()
        #expect(try opening(sealing([], header), header).isEmpty)
        let chunks = try FileChunks(header: header, fileKey: Self.fileKey)
        #expect(
            refusal { () throws(HSIPError) in
                _ = try sealing([], chunks, first: 1)
            } == .malformed
        )
    }

    @Test func `what is no header is said to be none`() throws {
        let good = try header().bytes
        func refused(_ bytes: [UInt8]) -> HSIPError? {
            refusal { () throws(HSIPError) in _ = try FileHeader(bytes: bytes) }
        }
        for count in 0..<FileHeader.size { #expect(refused(Array(good[..<count])) == .malformedFile) }
        #expect(refused(good + [0]) == .malformedFile)
        #expect(refused(Array(good[..<8]) + [2] + good[9...]) == .unsupportedVersion)
        #expect(refused(Array(good[..<9]) + [2] + good[10...]) == .malformedFile)
        for place in 0..<8 {
            var changed = good
            changed[place] ^= 0x20
            #expect(refused(changed) == .malformedFile && !FileHeader.begins(changed))
        }
        #expect(FileHeader.begins(good) && !FileHeader.begins([]) && !FileHeader.begins(Array("🔒".utf8)))
    }

    @Test func `a text is never opened as the key of a file, nor a key as a text`() throws {
        let text = [UInt8](repeating: 0x61, count: MessagePurpose.fileKeySize)
        let chat = try Sample.seal(text)
        #expect(
            refusal { () throws(HSIPError) in
                _ = try MessageCipher.open(chat, key: Sample.key, purpose: .fileKey)
            } == .cannotOpen
        )
        let key = try header(text).keyMessage
        #expect(
            refusal { () throws(HSIPError) in _ = try MessageCipher.open(key, key: Sample.key) }
                == .cannotOpen
        )
        expect(try MessageCipher.open(key, key: Sample.key, purpose: .fileKey), is: text)
        for count in [0, 31, 33] {
            #expect(
                refusal { () throws(HSIPError) in _ = try header([UInt8](repeating: 1, count: count)) }
                    == .badPlaintext
            )
        }
    }
}
