import Testing
import VaultCrypto

/// The two constructions promise the same, so one suite judges both.
struct AEADTests {
    enum Cipher: CaseIterable, Sendable {
        case ietf, extended

        var nonceSize: Int { self == .ietf ? 12 : 24 }

        func seal(
            _ plaintext: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            data: [UInt8]
        ) throws(CryptoError) -> (ciphertext: [UInt8], tag: [UInt8]) {
            switch self {
            case .ietf:
                try ChaCha20Poly1305.seal(plaintext, key: key, nonce: nonce, authenticating: data)
            case .extended:
                try XChaCha20Poly1305.seal(plaintext, key: key, nonce: nonce, authenticating: data)
            }
        }

        func open(_ box: Box, into output: inout MutableRawSpan) throws(CryptoError) {
            switch self {
            case .ietf:
                try ChaCha20Poly1305.open(
                    box.ciphertext,
                    tag: box.tag,
                    key: box.key,
                    nonce: box.nonce,
                    authenticating: box.data,
                    into: &output
                )
            case .extended:
                try XChaCha20Poly1305.open(
                    box.ciphertext,
                    tag: box.tag,
                    key: box.key,
                    nonce: box.nonce,
                    authenticating: box.data,
                    into: &output
                )
            }
        }

        func openSecret(_ box: Box) throws(CryptoError) -> SecretBytes {
            switch self {
            case .ietf:
                try ChaCha20Poly1305.open(
                    box.ciphertext,
                    tag: box.tag,
                    key: box.key,
                    nonce: box.nonce,
                    authenticating: box.data
                )
            case .extended:
                try XChaCha20Poly1305.open(
                    box.ciphertext,
                    tag: box.tag,
                    key: box.key,
                    nonce: box.nonce,
                    authenticating: box.data
                )
            }
        }
    }

    /// Everything that `open` is given.
    struct Box: Sendable {
        var ciphertext: [UInt8]
        var tag: [UInt8]
        var key: [UInt8]
        var nonce: [UInt8]
        var data: [UInt8]
    }

    enum Part: CaseIterable, Sendable {
        case ciphertext, tag, key, nonce, data

        var path: WritableKeyPath<Box, [UInt8]> {
            switch self {
            case .ciphertext: \.ciphertext
            case .tag: \.tag
            case .key: \.key
            case .nonce: \.nonce
            case .data: \.data
            }
        }
    }

    /// The 114 bytes that both drafts seal.
    static let sunscreen = Array(
        ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
            + "sunscreen would be it.").utf8
    )

    static func box(_ cipher: Cipher, _ plaintext: [UInt8]) throws -> Box {
        let key = [UInt8].counting(32, from: 0x80)
        let nonce = [UInt8].counting(cipher.nonceSize, from: 0x40)
        let data: [UInt8] = [1, 2, 3]
        let sealed = try cipher.seal(plaintext, key: key, nonce: nonce, data: data)
        return Box(ciphertext: sealed.ciphertext, tag: sealed.tag, key: key, nonce: nonce, data: data)
    }

    /// Opens into memory full of ones; gives what it then holds and the refusal, if there was one.
    static func open(_ cipher: Cipher, _ box: Box, room: Int) -> (output: [UInt8], refusal: CryptoError?) {
        var output = [UInt8](repeating: 0xFF, count: room)
        var refusal: CryptoError?
        var span = output.mutableSpan
        var raw = unsafe span.mutableBytes
        do throws(CryptoError) {
            try cipher.open(box, into: &raw)
        } catch {
            refusal = error
        }
        return (output, refusal)
    }

    @Test func `ChaCha20-Poly1305 is as RFC 8439 section 2.8.2 prints it`() throws {
        let sealed = try ChaCha20Poly1305.seal(
            Self.sunscreen,
            key: [UInt8].counting(32, from: 0x80),
            nonce: [UInt8](hex: "070000004041424344454647"),
            authenticating: [UInt8](hex: "50515253c0c1c2c3c4c5c6c7")
        )
        #expect(
            sealed.ciphertext
                == [UInt8](
                    hex: """
                        d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6
                        3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36
                        92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
                        3ff4def08e4b7a9de576d26586cec64b6116
                        """
                )
        )
        #expect(Hex.encode(sealed.tag) == "1ae10b594f09e26a7e902ecbd0600691")
    }

    @Test func `XChaCha20-Poly1305 is as appendix A 3 1 of its draft prints it`() throws {
        let sealed = try XChaCha20Poly1305.seal(
            Self.sunscreen,
            key: [UInt8].counting(32, from: 0x80),
            nonce: [UInt8].counting(24, from: 0x40),
            authenticating: [UInt8](hex: "50515253c0c1c2c3c4c5c6c7")
        )
        #expect(
            sealed.ciphertext
                == [UInt8](
                    hex: """
                        bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb
                        731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452
                        2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9
                        21f9664c97637da9768812f615c68b13b52e
                        """
                )
        )
        #expect(Hex.encode(sealed.tag) == "c0875924c1c7987947deafd8780acf49")
    }

    @Test(arguments: Cipher.allCases, [0, 1, 15, 16, 17, 63, 64, 65, 1000])
    func `what was sealed opens again`(cipher: Cipher, count: Int) throws {
        let plaintext = [UInt8].counting(count)
        let box = try Self.box(cipher, plaintext)
        #expect(box.ciphertext.count == count)
        #expect(box.tag.count == 16)
        let (output, refusal) = Self.open(cipher, box, room: count)
        #expect(refusal == nil)
        #expect(output == plaintext)
        #expect(exposed(try cipher.openSecret(box)) == plaintext)
    }

    @Test(arguments: Cipher.allCases, Part.allCases)
    func `one changed bit anywhere is refused and leaves zeros`(cipher: Cipher, part: Part) throws {
        let box = try Self.box(cipher, Self.sunscreen)
        for bit in 0..<box[keyPath: part.path].count * 8 {
            var changed = box
            changed[keyPath: part.path][bit / 8] ^= 1 << UInt8(bit % 8)
            let (output, refusal) = Self.open(cipher, changed, room: box.ciphertext.count)
            #expect(refusal == .authenticationFailed)
            #expect(output == [UInt8](repeating: 0, count: output.count))
        }
    }

    @Test(arguments: Cipher.allCases, [Part.tag, .key, .nonce])
    func `another size is refused and leaves zeros`(cipher: Cipher, part: Part) throws {
        let box = try Self.box(cipher, Self.sunscreen)
        let right = box[keyPath: part.path]
        for size in [0, right.count - 1, right.count + 1] {
            var changed = box
            changed[keyPath: part.path] = Array((right + [0]).prefix(size))
            let (output, refusal) = Self.open(cipher, changed, room: box.ciphertext.count)
            #expect(refusal == .wrongSize(expected: right.count, found: size))
            #expect(output == [UInt8](repeating: 0, count: output.count))
        }
    }

    @Test(arguments: Cipher.allCases, [113, 115, 0])
    func `an output of another size is refused and left zero`(cipher: Cipher, room: Int) throws {
        let (output, refusal) = Self.open(cipher, try Self.box(cipher, Self.sunscreen), room: room)
        #expect(refusal == .wrongSize(expected: 114, found: room))
        #expect(output == [UInt8](repeating: 0, count: room))
    }

    @Test(arguments: Cipher.allCases)
    func `sealing refuses a key or nonce of another size`(cipher: Cipher) {
        let nonce = [UInt8].counting(cipher.nonceSize)
        #expect(throws: CryptoError.wrongSize(expected: 32, found: 31)) {
            _ = try cipher.seal([1], key: .counting(31), nonce: nonce, data: [])
        }
        #expect(throws: CryptoError.wrongSize(expected: cipher.nonceSize, found: cipher.nonceSize + 1)) {
            _ = try cipher.seal([1], key: .counting(32), nonce: nonce + [0], data: [])
        }
    }

    @Test(arguments: Cipher.allCases)
    func `moving a byte between data and ciphertext is refused`(cipher: Cipher) throws {
        var box = try Self.box(cipher, Self.sunscreen)
        box.data.append(box.ciphertext.removeFirst())
        #expect(throws: CryptoError.authenticationFailed) { _ = try cipher.openSecret(box) }
    }
}
