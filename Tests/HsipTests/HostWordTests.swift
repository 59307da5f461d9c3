import Presentation
import SSHFormats
import Testing

@testable import Commands

@Suite struct HostWordTests {
    @Test(arguments: [
        ("db1", "db1"), ("DB1.example.org", "db1.example.org"), ("db1:2222", "[db1]:2222"), ("db1:22", "db1"),
        ("[db1]:2222", "[db1]:2222"), ("[db1]", "db1"), ("::1", "::1"), ("[::1]", "::1"), ("[::1]:22", "::1"),
        ("[fe80::1%eth0]:2222", "[fe80::1%eth0]:2222"), ("192.0.2.1:65535", "[192.0.2.1]:65535"),
    ])
    func `a host is read in every form that people write`(word: String, lookup: String) throws {
        let host = try HostWord.host(word)
        #expect(host.lookup == lookup)
        #expect(try HostWord.host(HostWord.text(host)) == host)
    }

    @Test(arguments: [
        ("db1:", SSHFormatError.badPort), ("db1:0", .badPort), ("db1:65536", .badPort), ("db1:+22", .badPort),
        ("db1:22x", .badPort), (":22", .badHostName), ("", .badHostName), ("[db1", .badHostName),
        ("[]", .badHostName),
        ("[db1]2222", .badHostName), ("-oProxyCommand=x", .badHostName), ("a b", .badHostName),
        ("a,b", .badHostName),
        ("$(x)", .badHostName), ("a;b", .badHostName), ("user@db1", .badHostName),
        ("10.0.0.0/8", .badHostName),
        ("dänemark", .badHostName), ("a\n", .badHostName), ("*", .badHostName), ("!a", .badHostName),
    ])
    func `anything that could be something else is refused`(word: String, error: SSHFormatError) {
        #expect(throws: error) { try HostWord.host(word) }
    }

    @Test func `a fingerprint may come in groups and without its name, and never as MD5`() throws {
        let text = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"
        #expect(try TypedFingerprint.read(text).description == text)
        #expect(
            try TypedFingerprint.read("47DEQpj8HBSa+/TImW+5 JCeuQeRkm5NMpJWZG3hSuFU\n").description == text
        )
        for wrong in [
            "", "SHA256:", text.dropLast() + "V", text + "x",
            "MD5:" + String(repeating: "00:", count: 15) + "00",
        ] {
            #expect(throws: Failure.self) { try TypedFingerprint.read(String(wrong)) }
        }
    }
}
