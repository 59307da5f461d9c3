import Secrets
import Testing
import VaultCrypto

/// The bytes of a credential's record (Schemas/credentials.md).
struct CredentialContentTests {
    private func secret(_ bytes: [UInt8]) throws -> Secret { try Secret(copying: bytes) }

    private func bytes(_ secret: Secret) -> [UInt8] { secret.withBytes { $0.copied() } }

    /// A login with everything, and ten versions of which two share a value.
    private func full() throws -> Credential {
        let totp = try CredentialField("totp", secret([0, 255, 10, 13]))
        let first = [try CredentialField("password", secret([1, 2, 3])), totp]
        var credential = try Credential(.login, first, at: 1_700_000_000)
        for number in UInt8(1)...11 {
            let fields = [try CredentialField("password", secret([number])), totp]
            try credential.add(fields, at: 1_700_000_000 + UInt64(number))
        }
        try credential.setTags(["work", "a b", "ä"])
        try credential.setExpires(253_402_300_799)
        try credential.setOrigin("KeePassXC, passwords.csv")
        credential.removedAt = 1_700_000_100
        return credential
    }

    @Test func `what is written is read, and written again the same`() throws {
        let credential = try full()
        let content = try credential.content()
        let read = try Credential(content: content)
        #expect(read.kind == .login)
        #expect(read.tags == ["a b", "work", "ä"])
        #expect(read.expires == 253_402_300_799)
        #expect(read.origin == "KeePassXC, passwords.csv")
        #expect(read.removedAt == 1_700_000_100)
        #expect(read.versions.map(\.number) == Array(3...12))
        #expect(read.current.created == 1_700_000_011)
        #expect(read.version(4).flatMap { $0["password"] }.map { bytes($0.value) } == [3])
        #expect(read.version(2) == nil)
        #expect(read.current["totp"].map { bytes($0.value) } == [0, 255, 10, 13])
        #expect(bytes(try read.content()) == bytes(content))
    }

    @Test
    func `a value put into the version that counts changes no other version, and none of its neighbours`()
        throws
    {
        var credential = try full()
        try credential.put(try CredentialField("totp", secret([5])))
        let read = try Credential(content: try credential.content())
        #expect(read.versions.map(\.number) == Array(3...12))
        #expect(read.current["totp"].map { bytes($0.value) } == [5])
        #expect(read.current["password"].map { bytes($0.value) } == [11])
        #expect(read.current.created == 1_700_000_011)
        #expect(read.version(11).flatMap { $0["totp"] }.map { bytes($0.value) } == [0, 255, 10, 13])
        #expect(throws: CredentialError.unknownField) {
            try credential.put(try CredentialField("pin", text: "1"))
        }
    }

    @Test func `a value that versions share is stored once`() throws {
        let large = try CredentialField("content", secret([UInt8](repeating: 7, count: 1 << 20)))
        var credential = try Credential(.file, [large], at: 1)
        for second in UInt64(2)...10 {
            try credential.add([large, CredentialField("note", text: "\(second)")], at: second)
        }
        #expect(try credential.content().count < (1 << 20) + 4_096)
    }

    @Test func `ten versions of the largest size fit into a record`() throws {
        func fields() throws -> [CredentialField] {
            var fields = [
                try CredentialField("content", secret([UInt8](repeating: 1, count: 1 << 20))),
                try CredentialField("b", secret([UInt8](repeating: 2, count: 1 << 19))),
            ]
            for number in 2..<64 {
                let name = String(repeating: "x", count: 126) + "\(number)"
                fields.append(try CredentialField(String(name.suffix(128)), secret([])))
            }
            return fields
        }
        var credential = try Credential(.file, fields(), at: 1)
        for second in UInt64(2)...12 { try credential.add(fields(), at: second) }
        let content = try credential.content()
        #expect(content.count <= 16 << 20)
        #expect(try Credential(content: content).versions.count == 10)
    }

    @Test func `every shorter content, and a longer one, is refused`() throws {
        let content = bytes(try full().content())
        for count in 0..<content.count {
            #expect(throws: CredentialError.self) {
                try Credential(content: secret(Array(content.prefix(count))))
            }
        }
        #expect(throws: CredentialError.malformed) { try Credential(content: secret(content + [0])) }
        #expect(throws: CredentialError.unsupportedVersion(2)) {
            try Credential(content: secret([2] + content.dropFirst()))
        }
    }

    @Test func `a content with any byte changed is refused, or reads as what it says`() throws {
        let content = bytes(try full().content())
        for place in content.indices {
            for flip: UInt8 in [0x01, 0x80, 0xFF] {
                var other = content
                other[place] ^= flip
                guard let read = try? Credential(content: try secret(other)) else { continue }
                #expect(bytes(try read.content()) == other)
            }
        }
    }

    @Test(arguments: ["", " a", "a ", "a\nb", "a\u{202E}b", "\u{FEFF}a", String(repeating: "x", count: 129)])
    func `a field's name is one plain line`(name: String) throws {
        #expect(throws: CredentialError.badField) { try CredentialField(name, text: "v") }
    }

    @Test func `limits are refused before anything is kept`() throws {
        let value = try secret([1])
        #expect(throws: CredentialError.valueTooLong(limit: 1 << 20)) {
            try CredentialField("x", secret([UInt8](repeating: 0, count: (1 << 20) + 1)))
        }
        #expect(throws: CredentialError.noFields) { try Credential(.note, [], at: 1) }
        let twice = [try CredentialField("x", value), try CredentialField("x", value)]
        #expect(throws: CredentialError.badField) { try Credential(.note, twice, at: 1) }
        let many = try (0..<65).map { try CredentialField("f\($0)", value) }
        #expect(throws: CredentialError.tooManyFields(limit: 64)) { try Credential(.note, many, at: 1) }
        let large = try (0..<2).map {
            try CredentialField("f\($0)", secret([UInt8](repeating: 0, count: 1 << 20)))
        }
        #expect(throws: CredentialError.versionTooLong(limit: 3 << 19)) {
            try Credential(.file, large, at: 1)
        }
        var credential = try Credential(.note, [CredentialField("text", value)], at: 1)
        #expect(throws: CredentialError.badTag) { try credential.setTags(["a,b"]) }
        #expect(throws: CredentialError.tooManyTags(limit: 32)) {
            try credential.setTags((0..<33).map { "t\($0)" })
        }
        #expect(throws: CredentialError.badTime) { try credential.setExpires(253_402_300_800) }
        #expect(throws: CredentialError.badOrigin) { try credential.setOrigin("a\nb") }
    }

    @Test func `a clock that was set back does not turn the history around`() throws {
        var credential = try Credential(.note, [CredentialField("text", text: "a")], at: 100)
        try credential.add([CredentialField("text", text: "b")], at: 50)
        #expect(credential.versions.map(\.created) == [100, 100])
    }
}
