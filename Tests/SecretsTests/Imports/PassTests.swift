import Secrets
import Testing
import VaultCrypto

@Suite struct `Files of pass` {
    private func read(_ text: String, _ name: String = "work/mail") throws -> ImportDocument {
        var store = try PassStore()
        try store.add(name, Array(text.utf8))
        return try store.finish()
    }

    @Test(arguments: [
        ("secret", ["password": "secret"]), ("secret\n", ["password": "secret"]),
        (" a b \r\n", ["password": " a b "]),
        (
            "s\nuser: bob\nURL: https://ex.org:8/x\nPIN: 1 2\notpauth://totp/a?secret=B\nfree\n\ntext: here\n",
            [
                "password": "s", "user": "bob", "url": "https://ex.org:8/x", "own PIN": "1 2",
                "totp": "otpauth://totp/a?secret=B", "note": "free\n\ntext: here",
            ]
        ),
        ("s\nhttps://ex.org\n", ["password": "s", "note": "https://ex.org"]),
        ("s\nfree\notpauth://totp/a\n", ["password": "s", "note": "free", "totp": "otpauth://totp/a"]),
        (
            "s\nuser: a\nlogin: b\nlogin: c\n",
            ["password": "s", "user": "a", "own login": "b", "note": "login: c"]
        ),
        ("otpauth://totp/a\n", ["totp": "otpauth://totp/a"]),
        ("\nuser: a\n", ["user": "a"]),
        (
            "-----BEGIN KEY-----\na: b\n-----END KEY-----\n",
            ["note": "-----BEGIN KEY-----\na: b\n-----END KEY-----\n"]
        ),
    ])
    func `the password, pairs and codes are read, and the rest is a note`(
        text: String,
        fields: [String: String]
    ) throws {
        let document = try read(text)
        #expect(document.fields(0) == fields)
    }

    @Test func `more pairs than an entry can have fields are a note, in no time`() throws {
        let lines = (0..<50_000).map { "k\($0): v\n" }.joined()
        let document = try read("s\n" + lines)
        let fields = try #require(document.candidates.first?.fields)
        #expect(fields.count <= ImportLimits.fields)
        #expect(document.fields(0)["own k3"] == "v")
        #expect(document.fields(0)["note"]?.hasSuffix("k49999: v") == true)
    }

    @Test(arguments: ["//\nth:/", "/\nuser:/", "otpauth:/\na:", "-----BEGIN\nk:-"])
    func `a file is read the same, whatever stands in the next one`(text: String) throws {
        var store = try PassStore()
        for name in ["one", "two", "three"] { try store.add(name, Array(text.utf8)) }
        let document = try store.finish()
        #expect(document.fields(0) == document.fields(2))
        #expect(document.fields(1) == document.fields(2))
    }

    @Test func `the path is folder and title`() throws {
        let document = try read("x", "a/b/c d")
        #expect(document.candidates[0].title == "c d")
        #expect(document.candidates[0].folder == ["a", "b"])
    }

    @Test(arguments: ["", "\n", "\n\n\r\n"])
    func `an empty file is named and not taken`(text: String) throws {
        #expect(try read(text).refused.map(\.reason) == [.empty])
    }

    @Test func `a password that is no text is kept byte for byte`() throws {
        var store = try PassStore()
        try store.add("raw", [0xFF, 0x00, 0xFE])
        let document = try store.finish()
        let field = try #require(document.candidates.first?.fields.first)
        #expect(document.withBytes(of: field) { $0.copied() } == [0xFF, 0x00, 0xFE])
    }

    @Test func `many files share their memory and keep their values apart`() throws {
        var store = try PassStore()
        for index in 0..<2_000 { try store.add("f\(index)", Array("value \(index)\nuser: u\(index)\n".utf8)) }
        store.refuse("locked", .notOpened)
        let document = try store.finish()
        #expect(document.candidates.count == 2_000)
        #expect(document.fields(1_999) == ["password": "value 1999", "user": "u1999"])
        #expect(document.refused.map(\.title) == ["locked"])
    }
}

@Suite struct `Items of a Secret Service` {
    @Test func `label, secret and every attribute are kept`() throws {
        var items = try ServiceItems()
        try items.add(
            label: "mail",
            collection: "Login",
            attributes: ["username": "bob", "server": "ex.org", "xdg:schema": "org.gnome", "empty": ""],
            secret: Array("pw".utf8),
            created: 5
        )
        try items.refuse("shut", .notOpened)
        let document = items.finish()
        #expect(document.candidates[0].title == "mail")
        #expect(document.candidates[0].created == 5)
        #expect(
            document.fields(0) == [
                "password": "pw", "user": "bob", "own server": "ex.org", "own xdg:schema": "org.gnome",
            ]
        )
        #expect(document.refused == [RefusedEntry("shut", place: 2, .notOpened)])
    }
}
