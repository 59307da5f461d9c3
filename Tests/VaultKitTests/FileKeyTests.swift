import HSIP
import Testing
import VaultCrypto
import VaultKit

/// Keys of files: one number of a session each.
struct FileKeyTests {
    private static let digest = [UInt8](repeating: 7, count: FileDigest.size)

    @Test(arguments: Backend.allCases)
    func `a file's key arrives, takes one number, and is opened again with a note`(on backend: Backend)
        async throws
    {
        let couple = try await Couple(backend)
        let (alice, bob) = (couple.alice.vault, couple.bob.vault)
        let first = try await alice(Operations.sealFileKey, "bob", Self.digest)
        let second = try await alice(Operations.sealFileKey, "bob", Self.digest)
        #expect((first.message.sent, second.message.sent, first.key.count) == (1, 2, 32))
        #expect(!ConstantTime.equal(first.key, second.key))
        let opened = try await bob(Operations.openFileKey, first.message.envelope, nil)
        #expect(ConstantTime.equal(opened.key, first.key))
        #expect(opened.contact == "alice" && !opened.isReread)
        let again = try await bob(Operations.openFileKey, first.message.envelope, nil)
        #expect(ConstantTime.equal(again.key, first.key) && again.isReread)
        let received = try await bob(Operations.contact, "alice").sending?.received
        #expect(received == 1)
    }

    @Test func `a file's key is no message, and a message no file's key`() async throws {
        let couple = try await Couple()
        let key = try await couple.alice.vault(Operations.sealFileKey, "bob", Self.digest).message.envelope
        await #expect(throws: VaultError.hsip(.cannotOpen)) {
            try await couple.bob.vault(Operations.decrypt, key, nil, false)
        }
        let text = try await couple.alice.write("0123456789abcdef0123456789abcdef", to: couple.bob)
        await #expect(throws: VaultError.hsip(.cannotOpen)) {
            try await couple.bob.vault(Operations.openFileKey, text.envelope, nil)
        }
        // Neither is used up by that.
        #expect(try await couple.bob.read(text) == "0123456789abcdef0123456789abcdef")
        #expect(try await !couple.bob.vault(Operations.openFileKey, key, nil).isReread)
    }

    @Test func `one's own file is said to be one's own`() async throws {
        let couple = try await Couple()
        let key = try await couple.alice.vault(Operations.sealFileKey, "bob", Self.digest).message.envelope
        await #expect(throws: VaultError.hsip(.ownFile)) {
            try await couple.alice.vault(Operations.openFileKey, key, nil)
        }
        await #expect(throws: VaultError.hsip(.unknownContact)) {
            try await couple.alice.vault(Operations.sealFileKey, "nobody", Self.digest)
        }
    }

    @Test func `a digest of another size costs no number`() async throws {
        let alice = try await Couple().alice.vault
        for size in [0, 31, 33] {
            await #expect(throws: VaultError.hsip(.malformed)) {
                try await alice(Operations.sealFileKey, "bob", [UInt8](repeating: 7, count: size))
            }
        }
        #expect(try await alice(Operations.sealFileKey, "bob", Self.digest).message.sent == 1)
    }
}
