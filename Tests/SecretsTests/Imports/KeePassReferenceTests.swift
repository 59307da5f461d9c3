import Secrets
import Testing

@Suite struct `References, codes and addresses of KeePass` {
    private func read(_ entries: [(id: String, strings: [(String, String)])]) throws -> ImportDocument {
        let inner = entries.map { entry in
            "<Entry><UUID>\(entry.id)</UUID>"
                + entry.strings.map { "<String><Key>\($0.0)</Key><Value>\($0.1)</Value></String>" }.joined()
                + "</Entry>"
        }
        return try Sample.read(
            "<KeePassFile><Root><Group>\(inner.joined())</Group></Root></KeePassFile>"
        )
    }

    private static let (one, two) = ("AAECAwQFBgcICQoLDA0ODw==", "/wECAwQFBgcICQoLDA0ODw==")
    private static let (hexOne, hexTwo) = (
        "000102030405060708090A0B0C0D0E0F", "FF0102030405060708090a0b0c0d0e0f"
    )

    @Test
    func
        `a value that stands for one of another entry is that value, before or behind it, by way of a third`()
        throws
    {
        let document = try read([
            (
                "",
                [
                    ("Title", "a"), ("Password", "{REF:P@I:\(Self.hexOne)}"),
                    ("UserName", "{ref:u@i:\(Self.hexTwo)}"),
                ]
            ),
            (
                Self.one,
                [("Title", "b"), ("Password", "s&amp;cret"), ("UserName", "{REF:U@I:\(Self.hexTwo)}")]
            ),
            (
                Self.two,
                [("Title", "c"), ("UserName", "bob"), ("Own", "{REF:N@I:\(Self.hexTwo)}"), ("Notes", "n")]
            ),
        ])
        #expect(document.fields(0) == ["password": "s&cret", "user": "bob"])
        #expect(document.fields(1) == ["password": "s&cret", "user": "bob"])
        #expect(document.fields(2) == ["user": "bob", "own Own": "n", "note": "n"])
        #expect(document.candidates.flatMap(\.leftOut) == [])
    }

    @Test(arguments: [
        "{REF:P@I:00000000000000000000000000000000}", "{REF:P@T:b}", "x{REF:P@I:\(Self.hexOne)}",
        "{REF:P@I:\(Self.hexTwo)}", "{REF:X@I:\(Self.hexOne)}", "{REF:", "{REF:N@I:\(Self.hexOne)}",
    ])
    func `one that leads nowhere stays as it is and is named`(text: String) throws {
        let document = try read([
            ("", [("Title", "a"), ("Password", text)]), (Self.one, [("Title", "b"), ("Password", "p")]),
            (Self.two, [("Title", "c"), ("Password", "{REF:P@I:\(Self.hexTwo)}")]),
        ])
        #expect(document.fields(0) == ["password": text])
        #expect(document.candidates[0].leftOut == [.reference])
        #expect(document.candidates[1].leftOut.isEmpty)
        #expect(document.candidates[2].leftOut == [.reference])
    }

    @Test(arguments: [
        (
            [("TimeOtp-Secret-Base32", "MFRGG")],
            "otpauth://totp/?secret=MFRGG&digits=6&period=30&algorithm=SHA1"
        ),
        (
            [
                ("TimeOtp-Algorithm", "HMAC-SHA-256"), ("TimeOtp-Length", "8"), ("TimeOtp-Period", "60"),
                ("TimeOtp-Secret-Base32", "MFRGG"),
            ], "otpauth://totp/?secret=MFRGG&digits=8&period=60&algorithm=SHA256"
        ),
        (
            [("HmacOtp-Counter", "7"), ("HmacOtp-Secret-Base32", "MFRGG")],
            "otpauth://hotp/?secret=MFRGG&counter=7"
        ),
        ([("TOTP Seed", "MFRGG"), ("TOTP Settings", "30;S")], "steam://MFRGG"),
        ([("TOTP Seed", "MFRGG")], "otpauth://totp/?secret=MFRGG&period=30&digits=6"),
        (
            [("TOTP Seed", "MFRGG"), ("TOTP Settings", "60;8")],
            "otpauth://totp/?secret=MFRGG&period=60&digits=8"
        ),
        ([("otp", "otpauth://totp/x"), ("TOTP Seed", "MFRGG")], "otpauth://totp/x"),
    ])
    func `a code in pieces becomes one address`(strings: [(String, String)], address: String) throws {
        let fields = try read([("", [("Title", "a")] + strings)]).fields(0)
        #expect(fields["totp"] == address)
        #expect(fields.count == (strings[0].0 == "otp" ? 2 : 1))
    }

    @Test(arguments: [
        [("TimeOtp-Secret-Base32", "M"), ("TimeOtp-Length", "x")],
        [("TOTP Seed", "M"), ("TOTP Settings", "6")],
        [("TimeOtp-Secret-Base32", "M"), ("TimeOtp-Algorithm", "MD5")],
    ])
    func `a code in unknown pieces keeps them all`(strings: [(String, String)]) throws {
        let fields = try read([("", [("Title", "a")] + strings)]).fields(0)
        #expect(fields == Dictionary(uniqueKeysWithValues: strings.map { ("own \($0.0)", $0.1) }))
    }

    @Test func `further addresses stay addresses, behind the first one`() throws {
        let fields = try read([
            ("", [("KP2A_URL", "b"), ("KP2A_URL_1", "c"), ("Title", "t"), ("URL", "a")])
        ]).fields(0)
        #expect(fields == ["url": "a", "own url 2": "b", "own url 3": "c"])
    }
}
