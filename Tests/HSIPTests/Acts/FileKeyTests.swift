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
        guard case .reserved(let reserved) = outcome.product, let key = reserved.fileKey else {
            throw HSIPError.noSession
        }
        return (key, try reserved.seal(key))
    }

    private func digest(_ pieces: [[UInt8]], isWhole: Bool = true) -> [UInt8] {
        var digest = FileDigest()
        for piece in pieces { digest.add(piece) }
        return digest.finish(isWhole: isWhole)
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
        let digest = self.digest([[1]])
        let first = try sealed(duo, digest)
        _ = try duo.alice.perform(.sendFileKey(duo.bob.id, digest: digest))
        #expect(!ConstantTime.equal(first.key, try sealed(duo, digest).key))
    }

    @Test func `a digest tells every content, length and end apart`() throws {
        let digests = [
            digest([]), digest([[]]), digest([[0]]), digest([[0], [0]]),
            digest([[0, 0]]), digest([[0]], isWhole: false), digest([[1]]),
        ]
        #expect(Set(digests).count == digests.count)
        #expect(digests.allSatisfy { $0.count == FileDigest.size })
    }

    @Test func `a piece that another thread summarized counts as the piece itself`() throws {
        var (whole, summarized) = (FileDigest(), FileDigest())
        for piece in [[UInt8](repeating: 7, count: 5_000), [], [1]] {
            whole.add(piece)
            var summary = [UInt8](repeating: 9, count: FileDigest.summarySize)
            try piece.withBytes { piece throws(HSIPError) in
                var span = summary.mutableSpan
                var bytes = unsafe span.mutableBytes
                try FileDigest.summarize(piece, into: &bytes)
            }
            summarized.add(summary: summary)
        }
        #expect(whole.finish(isWhole: true) == summarized.finish(isWhole: true))
    }
}
