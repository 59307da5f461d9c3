import HSIP
import Support
import Testing
import VaultCrypto

/// The key of a file stays its own when the machine repeats itself.
struct FileKeyTests {
    /// The key and the key message that a copy of Alice makes when it draws what every other copy draws.
    private func sealed(_ duo: Duo, _ digest: [UInt8]) throws -> (key: Secret, message: MessageEnvelope) {
        let copy = TestPeer(duo.alice.stored, clock: duo.clock, seed: "the same")
        let outcome = try copy.perform(.sendFileKey(duo.bob.id, digest: digest))
        guard case .reserved(let ticket) = outcome.result, let key = ticket.fileKey else {
            throw HSIPError.noSession
        }
        return (key, try ticket.seal(key))
    }

    private func digest(_ pieces: [[UInt8]], isWhole: Bool = true) throws -> [UInt8] {
        var digest = FileDigest()
        for piece in pieces { try digest.add(piece) }
        return try digest.finish(isWhole: isWhole)
    }

    @Test func `two copies of a machine that draw the same give two files two keys and two key messages`()
        throws
    {
        let duo = try Duo.acquainted()
        let one = try sealed(duo, digest([[1, 2, 3]]))
        let other = try sealed(duo, digest([[1, 2, 4]]))
        #expect(!ConstantTime.equal(one.key, other.key))
        #expect(one.message.nonce != other.message.nonce)
        // The control: what is the same in everything is the same file.
        #expect(ConstantTime.equal(one.key, try sealed(duo, digest([[1, 2, 3]])).key))
    }

    @Test func `the key of a file is no nonce, and the next number makes another`() throws {
        let duo = try Duo.acquainted()
        let digest = try digest([[1]])
        let first = try sealed(duo, digest)
        _ = try duo.alice.perform(.sendFileKey(duo.bob.id, digest: digest))
        #expect(!ConstantTime.equal(first.key, try sealed(duo, digest).key))
    }

    @Test func `a digest tells every content, length and end apart`() throws {
        let digests = [
            try digest([]), try digest([[]]), try digest([[0]]), try digest([[0], [0]]),
            try digest([[0, 0]]), try digest([[0]], isWhole: false), try digest([[1]]),
        ]
        #expect(Set(digests).count == digests.count)
        #expect(digests.allSatisfy { $0.count == FileDigest.size })
    }
}
