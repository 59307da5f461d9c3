import Fuzz
import SSHFormats
import Support
import Testing
import VaultCrypto

/// What the fuzzer is given to begin with, cut at every place and with every byte changed: nothing crashes, and
/// every promise holds.
struct FuzzTargetTests {
    /// Made once: cases run at the same time, and ssh-keygen writes to one file.
    private static let certificate = Result {
        try HostKeys.shared.get().certificate("fuzz", of: 0, by: 1, hosts: ["db1", "*.example.org"])
    }

    /// A fixture of each form, by keys that are cheap to check.
    private static func seeds(_ target: FuzzTarget) throws -> [[UInt8]] {
        let keys = try HostKeys.shared.get()
        let (ssh, line) = (keys.ssh, keys[0].line)
        let files = try ["one", "curve"].map { try ssh.read($0) }
        let blobs = files.map { StrictBase64.decode(body($0)) ?? [] }
        let certificate = try Self.certificate.get()
        let signature = try FileSignature(
            of: "message".bytes,
            by: try OpenSSHKeyFile.key(files[0]),
            namespace: "git".bytes
        )
        let known = "db1,!db2 ".bytes + line + "\n# c\n@revoked * ".bytes + keys[3].line + [0x0A]
        switch target {
        case .keyFile: return blobs
        case .keyText: return [files[0]]
        // One round of bcrypt for each is too much here; HostileBytesTests has every cipher.
        case .encryptedKeyFile: return []
        case .agentKey: return try files.map(addition)
        case .agentConnection:
            let messages = try files.map(addition) + [[11], [27] + AgentMessages.framed("query".bytes)]
            return [[7] + messages.flatMap(AgentMessages.framed), [200] + AgentMessages.framed(messages[0])]
        case .signedData:
            let login = AgentMessages.login(keys[0], host: keys[3])
            let file = try FileSignature.signedData(of: [1], namespace: "git".bytes, hash: .sha256)
            return [login, file].map { AgentMessages.framed(keys[0].blob) + $0 }
        case .publicKey: return [keys[0].blob, keys[3].blob, certificate.blob]
        case .publicText: return [line, keys[0].rfc4716]
        case .certificate: return [certificate.blob]
        case .knownHosts, .hostImport: return [known]
        case .names:
            let profile = "work\ndb1\n2222\nme\nkey\n/home/me/k.pub\nalias\n[::1]:2222\n*.x,!y"
            return [profile.bytes, keys[0].fingerprint.description.bytes, "20260101120000Z".bytes]
        case .signature: return [signature.bytes]
        case .signatureText: return [signature.armored]
        case .allowedSigners:
            return ["me,\"a b\" cert-authority,namespaces=\"git\",valid-after=\"20260101Z\" ".bytes + line]
        case .keyRecord: return [exposed(try record(files[0], certificate).content())]
        case .hostRecord: return [try host().content()]
        case .hostKeys: return try book(known)
        case .exchangeCode: return try PeopleSeeds.codes()
        case .peopleRecord: return try PeopleSeeds.records()
        case .json: return [#" {"a":[1.5e-3,"\u00e9\ud83d\ude00",{"b":null}],"c":true} "#.bytes]
        case .callValue:
            return [
                [0xA2, 0x61, 0x61, 0x84, 1, 0x38, 24, 0x42, 0, 1, 0xF6, 0x62, 0x62, 0x63, 0xD9, 0x80, 0, 0]
            ]
        case .importTable, .importKeePass, .importBitwarden, .importOnePassword, .importProtonPass,
            .importPass,
            .oneTimeKey, .variableFile, .secretText, .exportFile, .exportContent, .secretRecord,
            .fileContainer, .shareText, .parcelContent, .parcelText, .itemRecord, .machineCode,
            .slotParameters, .unlockFile, .hardwareRequest, .hardwareAnswer:
            return try OuterSeeds.of(target)
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `every cut and every changed byte leaves what is promised`(target: FuzzTarget) throws {
        for seed in try Self.seeds(target) {
            #expect(target.brokenPromise(seed) == nil)
            for index in seed.indices {
                #expect(target.brokenPromise(Array(seed.prefix(index))) == nil, "cut at \(index)")
                var changed = seed
                changed[index] ^= [1, 0x80, 0xFF, 0x20][index % 4]
                #expect(target.brokenPromise(changed) == nil, "byte \(index)")
            }
        }
    }

    @Test func `every form has its name on the command line`() {
        let names = FuzzTarget.allCases.map(\.rawValue)
        #expect(names.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D } })
        #expect(Set(names).count == names.count)
    }

    @Test func `a head of known hosts whose number cannot be counted on is refused`() throws {
        var writer = WireWriter()
        writer.byte(1)
        writer.uint64(.max)
        for _ in 0..<3 { writer.uint32(0) }
        #expect(throws: SSHFormatError.malformed) { try HostKeyHead(content: writer.bytes) }
    }

    private static func body(_ text: [UInt8]) -> [UInt8] {
        text.text.split(separator: "\n").dropFirst().dropLast().joined().bytes
    }

    private static func addition(_ file: [UInt8]) throws -> [UInt8] {
        let key = try OpenSSHKeyFile.key(file)
        var writer = WireWriter()
        writer.byte(17)
        writer.raw(exposed(try key.wire()))
        writer.string(key.comment)
        return writer.bytes
    }

    private static func record(_ file: [UInt8], _ certificate: PublicKey) throws -> KeyRecord {
        var record = KeyRecord(try OpenSSHKeyFile.key(file), origin: .openSSH)
        try record.add(certificate)
        record.use.hosts = ["db1"]
        record.use.namespaces = ["git"]
        return record
    }

    private static func host() throws -> HostRecord {
        let fields = HostProfile.Fields(
            label: "work",
            host: "db1",
            port: 2222,
            user: "me",
            authentication: "key",
            keyReference: "k",
            hostKeyAlias: "alias"
        )
        let profile = try HostProfile(id: HostID(.seeded([1])), fields)
        return HostRecord(profile, extras: [.init(name: "more", json: "{}")])
    }

    /// The head of known hosts with each of the records of lines behind it, one by one.
    private static func book(_ file: [UInt8]) throws -> [[UInt8]] {
        var seeds: [[UInt8]] = []
        for line in file.split(separator: 0x0A) {
            var book = HostKeyBook()
            _ = try book.take(KnownHostsFile(Array(line)), conflicts: .add, at: 1_700_000_000)
            let contents = try book.contents()
            let head = try #require(contents[.head])
            seeds += contents.filter { $0.key != .head }.values.map { head + $0 }
        }
        return seeds
    }
}
