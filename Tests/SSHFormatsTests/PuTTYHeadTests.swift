import SSHFormats
import Testing

struct PuTTYHeadTests {
    private static func text(_ changes: [(String, String)] = []) -> [UInt8] {
        var text = """
            PuTTY-User-Key-File-3: ssh-ed25519
            Encryption: aes256-cbc
            Comment: Encryption: none
            Public-Lines: 1
            AAAA
            Key-Derivation: Argon2id
            Argon2-Memory: 8192
            Argon2-Passes: 13
            Private-Lines: 1
            Encryption: none

            """
        for (old, new) in changes { text = text.replacing(old, with: new) }
        return text.bytes
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `a head says whether there is a passphrase`(lineBreak: String) throws {
        let closed = try PuTTYHead(Self.text([("\n", lineBreak)]))
        #expect(closed.isEncrypted)
        #expect(closed.version == 3)
        let open = try PuTTYHead(
            Self.text([("File-3", "File-2"), ("aes256-cbc", "none"), ("\n", lineBreak)])
        )
        #expect(!open.isEncrypted)
        #expect(open.version == 2)
    }

    @Test(
        arguments: [
            ("File-3", "File-1", .unsupportedVersion(1)), ("File-3", "File-", .malformed),
            ("File-3", "File-99999999999", .malformed),
            ("File-3", "File-4294967296", .unsupportedVersion(.max)),
            ("PuTTY", "putty", .noKey), ("Encryption: aes", "Encrypted: aes", .malformed),
            ("8192", "1048577", .oversized(limit: 1 << 20)), ("8192", "-1", .malformed),
            ("8192", "", .malformed),
            ("13", "10001", .oversized(limit: 10_000)), ("Private-Lines", "Private", .truncated),
        ] as [(String, String, SSHFormatError)]
    )
    func `a head that is none, or asks for too much, is refused`(
        old: String,
        new: String,
        error: SSHFormatError
    ) {
        #expect(throws: error) { try PuTTYHead(Self.text([(old, new)])) }
    }

    @Test func `every cut and every changed byte is an error or a head`() throws {
        let text = Self.text()
        for index in text.indices {
            _ = try? PuTTYHead(Array(text.prefix(index)))
            for byte in [0, 0x0A, 0x3A, 0xFF] as [UInt8] {
                var changed = text
                changed[index] = byte
                do throws(SSHFormatError) {
                    _ = try PuTTYHead(changed)
                } catch {
                    #expect(error != .outOfMemory)
                }
            }
        }
    }
}
