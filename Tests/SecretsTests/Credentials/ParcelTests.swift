import Secrets
import Testing
import VaultCrypto

/// What a parcel holds (Schemas/parcel.md section 2).
struct ParcelTests {
    private static let gift = [UInt8](repeating: 4, count: Parcel.giftSize)

    private func bytes(_ secret: Secret) -> [UInt8] { secret.withBytes { $0.copied() } }

    private func login() throws -> Credential {
        let fields = [
            try CredentialField("user", text: "me"), try CredentialField("password", text: "p"),
            try CredentialField("totp", text: "MFRGGZDF"),
        ]
        var login = try Credential(
            .login,
            versions: [CredentialVersion(number: 3, created: 5, fields: fields)]
        )
        try login.setTags(["work"])
        return login
    }

    private func parcel(
        _ act: Parcel.Act = .give,
        version: UInt32 = 3,
        made: UInt64 = 6,
        end: UInt64? = nil,
        name: String = "db/prod",
        note: String? = nil,
        content: Secret?
    ) throws -> Parcel {
        try Parcel(
            act,
            gift: Self.gift,
            version: version,
            made: made,
            end: end,
            name: name,
            note: note,
            content: content
        )
    }

    @Test func `parcels are written byte for byte as in the vectors, and read`() throws {
        let vector = try ParcelVector.load()
        #expect(vector.cases.count == 3)
        for expected in vector.cases {
            let content = ParcelVector.bytes(expected.content)
            let parcel = try Parcel(
                try #require(Parcel.Act(rawValue: expected.act)),
                gift: ParcelVector.bytes(vector.gift),
                version: expected.version,
                made: expected.made,
                end: expected.end == 0 ? nil : expected.end,
                name: expected.secret,
                note: expected.note.isEmpty ? nil : expected.note,
                content: content.isEmpty ? nil : Secret(copying: content)
            )
            #expect(try bytes(parcel.plaintext()) == ParcelVector.bytes(expected.plaintext))
            let read = try Parcel(plaintext: Secret(copying: ParcelVector.bytes(expected.plaintext)))
            #expect(read.act == parcel.act && read.gift == parcel.gift && read.version == expected.version)
            #expect(read.made == expected.made && read.end ?? 0 == expected.end)
            #expect(read.name == expected.secret && read.note ?? "" == expected.note)
            #expect(read.content.map { bytes($0) } ?? [] == content)
            if read.act == .give {
                #expect(try bytes(read.credential().given().content()) == content)
            } else {
                #expect(throws: CredentialError.malformedGift) { try read.credential() }
            }
        }
    }

    @Test func `every shorter parcel, and a longer one, is refused`() throws {
        for expected in try ParcelVector.load().cases {
            let plaintext = ParcelVector.bytes(expected.plaintext)
            for count in plaintext.indices {
                #expect(throws: CredentialError.malformedGift) {
                    try Parcel(plaintext: Secret(copying: Array(plaintext[..<count])))
                }
            }
            #expect(throws: CredentialError.malformedGift) {
                try Parcel(plaintext: Secret(copying: plaintext + [0]))
            }
            #expect(throws: CredentialError.unsupportedVersion(2)) {
                try Parcel(plaintext: Secret(copying: [2] + plaintext.dropFirst()))
            }
            for act: UInt8 in [0, 4, 255] {
                #expect(throws: CredentialError.malformedGift) {
                    try Parcel(plaintext: Secret(copying: [1, act] + plaintext.dropFirst(2)))
                }
            }
        }
    }

    @Test func `a parcel with any byte changed is refused, or reads as what it says`() throws {
        for expected in try ParcelVector.load().cases {
            let plaintext = ParcelVector.bytes(expected.plaintext)
            for place in plaintext.indices {
                for flip: UInt8 in [0x01, 0x80, 0xFF] {
                    var changed = plaintext
                    changed[place] ^= flip
                    guard let read = try? Parcel(plaintext: Secret(copying: changed)) else { continue }
                    #expect(try bytes(read.plaintext()) == changed, "byte \(place)")
                }
            }
        }
    }

    @Test func `a length that lies is refused before anything is allocated`() throws {
        let plaintext = ParcelVector.bytes(try ParcelVector.load().cases[1].plaintext)
        let lengths = plaintext.count - 4..<plaintext.count
        for length: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0x20, 0, 1], [0, 0, 0, 1]] {
            var changed = plaintext
            changed.replaceSubrange(lengths, with: length)
            #expect(throws: CredentialError.malformedGift) { try Parcel(plaintext: Secret(copying: changed)) }
        }
        let long = plaintext + [UInt8](repeating: 0, count: Parcel.longestContent)
        #expect(throws: CredentialError.malformedGift) { try Parcel(plaintext: Secret(copying: long)) }
    }

    @Test func `numbers, times, names and notes that no parcel has are refused`() throws {
        let content = try login().content()
        _ = try parcel(end: 6, note: "for the migration", content: content)
        func refused(_ make: () throws -> Parcel) -> Bool {
            do {
                _ = try make()
                return false
            } catch CredentialError.malformedGift {
                return true
            } catch {
                return false
            }
        }
        #expect(refused { try parcel(version: 2, content: content) })
        #expect(refused { try parcel(.withdraw, version: 0, content: nil) })
        #expect(refused { try parcel(.withdraw, version: Parcel.highestVersion + 1, content: nil) })
        #expect(refused { try parcel(end: 5, content: content) })
        #expect(refused { try parcel(made: 0, end: 0, content: content) })
        #expect(refused { try parcel(made: Credential.latestTime + 1, content: content) })
        #expect(refused { try parcel(end: Credential.latestTime + 1, content: content) })
        for name in ["", " a", "a\nb", "a\u{202E}b", String(repeating: "x", count: 249)] {
            #expect(refused { try parcel(name: name, content: content) })
        }
        for note in ["", "a\nb", "a\u{7}", String(repeating: "x", count: 501)] {
            #expect(refused { try parcel(note: note, content: content) })
        }
        #expect(refused { try parcel(content: nil) })
        #expect(refused { try parcel(.withdraw, content: content) })
        #expect(
            refused {
                try Parcel(.withdraw, gift: [1], version: 1, made: 1, name: "a")
            }
        )
    }

    @Test func `a credential with a history, an origin, an end or in the trash is no gift`() throws {
        var history = try login()
        try history.add([CredentialField("password", text: "q")], at: 9)
        #expect(throws: CredentialError.malformedGift) { try parcel(version: 4, content: history.content()) }
        var origin = try login()
        try origin.setOrigin("KeePass")
        #expect(throws: CredentialError.malformedGift) { try parcel(content: origin.content()) }
        var ended = try login()
        try ended.setExpires(9)
        #expect(throws: CredentialError.malformedGift) { try parcel(content: ended.content()) }
        var removed = try login()
        removed.removedAt = 9
        #expect(throws: CredentialError.malformedGift) { try parcel(content: removed.content()) }
        #expect(try bytes(ended.given().content()) == bytes(login().content()))
        #expect(try bytes(removed.given().content()) == bytes(login().content()))
    }

    @Test func `a share is twenty words of small letters`() throws {
        let word = "academic"
        func share(_ text: String) throws -> Parcel {
            try parcel(.share, content: Secret(copying: Array(text.utf8)))
        }
        let good = Array(repeating: word, count: 20).joined(separator: " ")
        #expect(try share(good).act == .share)
        for bad in [
            Array(repeating: word, count: 19).joined(separator: " "),
            Array(repeating: word, count: 21).joined(separator: " "), good + " ", " " + good,
            good.replacing("academic academic", with: "academic  academic"), good.uppercased(), good + "1",
        ] {
            #expect(throws: CredentialError.malformedGift) { try share(bad) }
        }
    }

    @Test func `the key of one-time passwords stays unless it is asked for`() throws {
        let login = try login()
        #expect(try login.given(fields: []).current.fields.map(\.name) == ["user", "password"])
        #expect(try login.given(fields: [], includesTOTP: true).current.fields.count == 3)
        #expect(try login.given(fields: ["totp"]).current.fields.map(\.name) == ["totp"])
        #expect(try login.given(fields: ["password"]).tags == ["work"])
        #expect(throws: CredentialError.unknownField) { try login.given(fields: ["pin"]) }
        let key = try Credential(.login, [CredentialField("totp", text: "MFRGGZDF")], at: 1)
        #expect(throws: CredentialError.noFields) { try key.given(fields: []) }
    }

    @Test func `a version that is taken keeps its number where that is free`() throws {
        var copy = try Credential(.login, [CredentialField("password", text: "a")], at: 1)
        try copy.take(given: login())
        #expect(copy.versions.map(\.number) == [1, 3] && copy.tags == ["work"])
        try copy.take(given: login())
        #expect(copy.versions.map(\.number) == [1, 3, 4])
        #expect(throws: CredentialError.kindDiffers) {
            try copy.take(given: Credential(.note, [CredentialField("text", text: "x")], at: 1))
        }
    }
}
