import Credentials
import Fuzz
import HSIP
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
                    + "<Value ProtectInMemory=\"True\">&lt;<![CDATA[x\r\n]]>&#233;</Value></String><Times><Expires>True"
                    + "</Expires></Times></Entry></Group></Root></KeePassFile>").bytes
            ]
        case .importBitwarden:
            [
                (#"{"folders":[{"id":"a","name":"b\u00e9"}],"items":[{"type":1,"name":"x\ud83d\ude00","folderId":"a","#
                    + #""login":{"username":"u","password":"p\\\"q"},"fields":[{"name":"n","value":"v"}]}]}"#)
                    .bytes
            ]
        case .importPass:
            ["\u{1}secret\nuser: a\nurl: https://b\notpauth://totp/c?secret=MFRGG\nfree\n".bytes]
        case .oneTimeKey:
            [
                "otpauth://totp/a%20b:c?secret=MFRGGZDF&issuer=a&algorithm=SHA256&digits=8&period=60".bytes,
                "mfrg gzdf".bytes,
            ]
        case .exportFile:
            ["HSIPEXPORT1\n".bytes + [0, 0, 0, 3, 0, 1, 0, 0] + [UInt8](repeating: 5, count: 80)]
        case .exportContent:
            [[0, 0, 0, 0, 0, 0, 8] + [UInt8](repeating: 0, count: 8) + [1, 0, 1, 0x61, 0, 0, 0, 2, 1, 2]]
        case .secretRecord: [try secret()]
        case .fileContainer: [FileHeader.magic + [1, 1] + [UInt8](repeating: 3, count: 92) + [7, 7, 7]]
        default: []
        }
    }

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
