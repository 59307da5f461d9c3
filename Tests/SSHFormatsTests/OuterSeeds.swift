import Fuzz
import HSIP
import Secrets
import Support
import VaultCrypto

/// What the fuzzer begins with where other programs' exports, and this program's own files, come in.
enum OuterSeeds {
    static func of(_ target: FuzzTarget) throws -> [[UInt8]] {
        switch target {
        case .importTable:
            [
                "Group,Title,Username,Password,URL\nRoot,a,b,\"c\"\"d\ne\",f\nRoot,g,h,i,j\n".bytes,
                "name;password;name\r\n\"a\";b;c\r\n".bytes,
            ]
        case .importKeePass:
            [
                ("<KeePassFile><Root><Group><Entry><Tags>a;b</Tags><String><Key>Password</Key>"
                    + "<Value ProtectInMemory=\"True\">&lt;<![CDATA[x\r\n]]>&#233;</Value></String><String><Key>TOTP Seed</Key>"
                    + "<Value>MFRGG</Value></String><Binary><Key>f</Key><Value Ref=\"0\"/></Binary><Times><Expires>True"
                    + "</Expires></Times></Entry></Group></Root></KeePassFile>").bytes,
                ("<KeePassFile><Root><Group><Entry><UUID>AAECAwQFBgcICQoLDA0ODw==</UUID><String><Key>Password</Key>"
                    + "<Value>p</Value></String></Entry><Entry><String><Key>UserName</Key><Value>{REF:P@I:"
                    + "000102030405060708090A0B0C0D0E0F}</Value></String></Entry></Group></Root></KeePassFile>")
                    .bytes,
            ]
        case .importBitwarden:
            [
                (#"{"folders":[{"id":"a","name":"b\u00e9"}],"items":[{"type":1,"name":"x\ud83d\ude00","folderId":"a","#
                    + #""login":{"username":"u","password":"p\\\"q"},"fields":[{"name":"n","value":"v"}]}]}"#)
                    .bytes
            ]
        case .importOnePassword:
            [
                (#"{"accounts":[{"vaults":[{"attrs":{"name":"P"},"items":[{"state":"active","createdAt":16,"overview":{"#
                    + #""title":"t","tags":["x"],"urls":[{"url":"https://a"},{"url":"b"}]},"details":{"loginFields":[{"#
                    + #""designation":"password","value":"p\"}],"sections":[{"fields":[{"title":"k","value":{"totp":"M"}},{"#
                    + #""id":"f","value":{"file":{"fileName":"g"}}},{"id":"a","value":{"address":{"city":"c"}}}]}]}}]}]}]}"#)
                    .bytes
            ]
        case .importProtonPass:
            [
                (#"{"vaults":{"v":{"name":"P","items":[{"state":1,"createTime":16,"files":["f"],"data":{"type":"login","#
                    + #""metadata":{"name":"t","note":"m"},"extraFields":[{"fieldName":"n","data":{"content":"1"}}],"#
                    + #""content":{"itemEmail":"e","password":"é","urls":["https://a","b"],"totpUri":"M","s":[{"#
                    + #""sectionFields":[{"fieldName":"x","data":{"totpUri":"y"}}]}]}}},{"state":2}]}}}"#)
                    .bytes
            ]
        case .variableFile:
            ["\u{FEFF}# c\nexport A=\"b\\n\\\"\" # d\r\nB=vault:e#f\nC=g h # i\nD='j\nk'\n".bytes]
        case .secretText: ["# c\ntags: a, b\nexpires: never\n--- a\nx\n\\--- y\n--- b\n\nz\n".bytes]
        case .importPass:
            ["\u{1}secret\nuser: a\nurl: https://b\notpauth://totp/c?secret=MFRGG\nfree\n".bytes]
        case .oneTimeKey:
            [
                "otpauth://totp/a%20b:c?secret=MFRGGZDF&issuer=a&algorithm=SHA256&digits=8&period=60".bytes,
                "mfrg gzdf".bytes, "steam://MFRGGZDF".bytes,
                "otpauth://totp/a?secret=MFRGG&encoder=steam".bytes,
            ]
        case .exportFile:
            ["HSIPEXPORT1\n".bytes + [0, 0, 0, 3, 0, 1, 0, 0] + [UInt8](repeating: 5, count: 80)]
        case .exportContent:
            [[0, 0, 0, 0, 0, 0, 8] + [UInt8](repeating: 0, count: 8) + [1, 0, 1, 0x61, 0, 0, 0, 2, 1, 2]]
        case .secretRecord: [try secret()]
        case .fileContainer: [FileHeader.magic + [1, 1] + [UInt8](repeating: 3, count: 92) + [7, 7, 7]]
        case .machineCode:
            [
                ("HSIP:HEAD1QY9ZXG9QVJMCPK3SCY0CGYD9GTW7UQQQQQQQQQQQPU5NG58CASAPS7E9638CJAN0MLN9PNGCGK3M7ME3"
                    + "H7YNVDJKRDSJSTA747X").bytes,
                ("HSIP:JOIN1QYYQZQRF2KUSQQQ0QQQQQQQAJ8263T53V9ZSM03FJTTRR928RXER7FMFFQ02WFL3Y25Q6T7GS38JYG23"
                    + "WHGJNAMXTX49VS6CZ8WG0WAGMKR4FFTH4ZVZ5K2CWQ782PMYV4EKKAR0WQV0PWVXWZJEF272LZGSHSHCCT28GT8NDC"
                    + "LA2D3XYN5TKY3HKDWV3DV8V4ERFEY9M0VLKM240T093Z253V8RZ0A2QSREC4L6XACZAXSREH8Y0W").bytes,
            ]
        case .shareText: [share]
        case .parcelContent: [try parcel(), try Self.bytes(withdrawal())]
        case .parcelText:
            [
                "x\nhsip-secret:iUhTSVBTDQoBAQ".bytes + [UInt8](repeating: 0x41, count: 160)
                    + "\n> QUFB hsip-secret:".bytes
            ]
        case .itemRecord: [item]
        case .slotParameters: slots
        case .unlockFile: ["HSIP-KEYFILE-1 ".bytes + [UInt8](repeating: 0x61, count: 64) + [0x0A]]
        case .hardwareRequest:
            [
                "{\"request\":\"devices\"}\n".bytes,
                "{\"request\":\"tpm2.seal\",\"registers\":128}\n".bytes + [UInt8](repeating: 7, count: 64),
                "{\"request\":\"tpm2.open\",\(params)}\n".bytes + [UInt8](repeating: 7, count: 32),
            ]
        case .hardwareAnswer:
            [
                "{\"answer\":\"devices\",\"wrong\":1,\"allowed\":32,\"interval\":600,\"recovery\":900}\n"
                    .bytes,
                "{\"answer\":\"sealed\",\(params)}\n".bytes,
                "{\"answer\":\"opened\"}\n".bytes + [UInt8](repeating: 7, count: 32),
                "{\"answer\":\"failed\",\"error\":\"pinWrong\",\"number\":28}\n".bytes,
                "{\"answer\":\"failed\",\"error\":\"busy\"}\n".bytes,
            ]
        default: []
        }
    }

    /// What a slot with a PIN and a register keeps.
    private static let params =
        "\"flags\":3,\"tpm2\":\"0001" + String(repeating: "06", count: 34) + "00000080000208080003090909\""

    /// A security key with a PIN, and a TPM with a PIN and a register.
    private static let slots: [[UInt8]] = [
        [17, 1, 1] + [UInt8](repeating: 5, count: 136) + [0, 16] + [UInt8](repeating: 6, count: 16),
        [16, 1, 3] + [UInt8](repeating: 5, count: 88) + [0, 1] + [UInt8](repeating: 6, count: 34)
            + [0, 0, 0, 0x80, 0, 2, 8, 8, 0, 3, 9, 9, 9],
    ]

    /// The first official case of SLIP-0039.
    private static let share = """
        # Share 1
        Duckling enla academic academic agency result length solution fridge kidney coal piece deal husband
        erode duke ajar critical decision keyboard
        """.bytes

    private static func parcel() throws -> [UInt8] {
        let credential = try Credential(.login, [CredentialField("password", text: "a")], at: 5)
        return try bytes(
            Parcel(
                .give,
                gift: [UInt8](repeating: 4, count: Parcel.giftSize),
                version: 1,
                made: 6,
                end: 7,
                name: "a/b",
                note: "c d",
                content: credential.content()
            )
        )
    }

    private static func withdrawal() throws -> Parcel {
        try Parcel(
            .withdraw,
            gift: [UInt8](repeating: 4, count: Parcel.giftSize),
            version: 2,
            made: 6,
            name: "a"
        )
    }

    private static func bytes(_ parcel: Parcel) throws -> [UInt8] {
        try parcel.plaintext().withBytes { $0.copied() }
    }

    /// An item of a program with an attribute, and a token as its content.
    private static let item: [UInt8] = {
        let own = [
            ("collection", "login"), ("owner", "/a"), ("readers", "/b\nsnap:c"), ("removed", "9"),
            ("@u", "j"),
        ]
        var seed: [UInt8] = [1, 0x69, UInt8(own.count)]
        for (name, value) in own {
            seed.append(UInt8(name.utf8.count))
            seed += name.utf8
            seed += [0, UInt8(value.utf8.count)]
            seed += value.utf8
        }
        seed += [1, 1]
        seed += [UInt8](repeating: 0, count: 24)
        seed += [0, 0, 0, 1, 0, 0, 0, 1, 0x78, 0, 0, 0, 1, 0, 0, 0, 1]
        seed += [UInt8](repeating: 0, count: 8)
        seed += [0, 0, 0, 1, 0, 0, 0, 5]
        seed += "token".utf8
        return seed + [0, 0, 0, 0]
    }()

    private static func secret() throws -> [UInt8] {
        var credential = try Credential(.login, [CredentialField("password", text: "a")], at: 5)
        try credential.add(
            [CredentialField("password", text: "b"), CredentialField("user", text: "c")],
            at: 6
        )
        try credential.setTags(["x", "y"])
        try credential.setOrigin("KeePass")
        return try credential.content().withBytes { $0.copied() }
    }
}
