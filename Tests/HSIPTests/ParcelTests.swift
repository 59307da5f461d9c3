import HSIP
import Testing
import VaultCrypto

/// Parcels (Schemas/parcel.md): known answers, and everything that can be done to one on its way.
struct ParcelTests {
    private static let key = [UInt8](repeating: 9, count: MessagePurpose.fileKeySize)

    private func sealed(_ plaintext: [UInt8], purpose: MessagePurpose = .parcelKey) throws -> SealedParcel {
        let message = try MessageCipher.seal(
            Self.key,
            key: Sample.key,
            sender: Sample.sender,
            nonce: Sample.nonce,
            purpose: purpose
        )
        let key = try Secret(copying: Self.key)
        return try SealedParcel(sealing: try Secret(copying: plaintext), keyMessage: message, key: key)
    }

    /// What a reader with the session's key gets out of bytes.
    private func opened(_ bytes: [UInt8]) throws -> [UInt8] {
        let parcel = try SealedParcel(bytes: bytes)
        let message = parcel.header.keyMessage
        let key = Secret(try MessageCipher.open(message, key: Sample.key, purpose: .parcelKey))
        return try parcel.open(key: key).withBytes { $0.copied() }
    }

    private func refusal(_ bytes: [UInt8]) -> HSIPError? {
        #expect(throws: HSIPError.self) { try opened(bytes) }
    }

    @Test func `parcels are sealed byte for byte as in the vectors, written, found and opened`() throws {
        let vector = try ParcelVector.load()
        let sender = try #require(PeerID(bytes: FileVector.bytes(vector.sender)))
        let key = try Secret(copying: FileVector.bytes(vector.file_key))
        let message = try MessageCipher.seal(
            key,
            key: FileVector.bytes(vector.message_key),
            sender: sender,
            nonce: FileVector.bytes(vector.nonce),
            purpose: .parcelKey
        )
        #expect(vector.cases.count == 3)
        for expected in vector.cases {
            let plaintext = FileVector.bytes(expected.plaintext)
            let parcel = try SealedParcel(
                sealing: Secret(copying: plaintext),
                keyMessage: message,
                key: key
            )
            #expect(parcel.bytes == FileVector.bytes(expected.bytes), "\(expected.name)")
            #expect(try ParcelText.write(parcel) == Array(expected.text.utf8))
            #expect(ParcelText.find(in: Array(expected.text.utf8)).map(\.readings) == [[parcel]])
            #expect(try parcel.open(key: key).withBytes { $0.copied() } == plaintext)
        }
    }

    @Test func `a parcel with any byte changed, cut anywhere or made longer does not open`() throws {
        let good = try sealed(Array("a secret for a contact".utf8)).bytes
        #expect(try opened(good) == Array("a secret for a contact".utf8))
        for place in good.indices {
            for flip: UInt8 in [1, 0x80] {
                var changed = good
                changed[place] ^= flip
                let found = refusal(changed)
                let expected: HSIPError =
                    place < 8 || place == 9 ? .malformedGift : place == 8 ? .unsupportedVersion : .cannotOpen
                #expect(found == expected, "byte \(place)")
            }
        }
        for count in good.indices {
            let expected: HSIPError = count < FileHeader.size + 16 ? .malformedGift : .cannotOpen
            #expect(refusal(Array(good[..<count])) == expected, "cut at \(count)")
        }
        for more in [1, 16, 17, 65_552] {
            #expect(refusal(good + [UInt8](repeating: 0, count: more)) == .cannotOpen)
        }
    }

    @Test func `2 MiB is a parcel, and a byte more is none`() throws {
        let most = SealedParcel.longest - FileHeader.size - 32 * 16
        let parcel = try sealed([UInt8](repeating: 7, count: most))
        #expect(parcel.bytes.count == SealedParcel.longest)
        #expect(try opened(parcel.bytes).count == most)
        #expect(throws: HSIPError.malformedGift) { try sealed([UInt8](repeating: 7, count: most + 1)) }
        #expect(throws: HSIPError.malformedGift) { try SealedParcel(bytes: parcel.bytes + [0]) }
        #expect(throws: HSIPError.malformedGift) { try ParcelText.write(parcel) }
    }

    @Test func `no text and no file opens as a parcel, nor a parcel as one of them`() throws {
        let parcel = try sealed([1, 2, 3])
        #expect(!FileHeader.begins(parcel.bytes) && SealedParcel.begins(parcel.bytes))
        #expect(throws: HSIPError.malformedFile) {
            try FileHeader(bytes: Array(parcel.bytes.prefix(FileHeader.size)))
        }
        // With the key of a text, of a file, and with the header of a file around the same chunks.
        for purpose in [MessagePurpose.text, .fileKey] {
            #expect(throws: HSIPError.cannotOpen) {
                _ = try MessageCipher.open(parcel.header.keyMessage, key: Sample.key, purpose: purpose)
            }
            let key = purpose == .text ? [UInt8](repeating: 0x61, count: 32) : Self.key
            let message = try MessageCipher.seal(
                key,
                key: Sample.key,
                sender: Sample.sender,
                nonce: Sample.nonce,
                purpose: purpose
            )
            let header = try FileHeader(keyMessage: message, for: .parcel)
            #expect(refusal(header.bytes + parcel.bytes.dropFirst(FileHeader.size)) == .cannotOpen)
        }
        let file = try FileHeader(keyMessage: parcel.header.keyMessage)
        #expect(refusal(file.bytes + parcel.bytes.dropFirst(FileHeader.size)) == .malformedGift)
        let chunks = try FileChunks(header: file, fileKey: Self.key)
        var room = try SecretBytes(count: parcel.bytes.count)
        #expect(throws: HSIPError.fileChanged) {
            try Array(parcel.bytes.dropFirst(FileHeader.size)).withBytes { body throws(HSIPError) in
                try room.withMutableBytes { room throws(HSIPError) in
                    _ = try chunks.open(body, first: 0, isLast: true, into: &room)
                }
            }
        }
    }
}
