import SSHFormats
import Testing

struct FingerprintTests {
    @Test func `fingerprints and pictures of 50 keys are those of ssh-keygen`() throws {
        let ssh = try OpenSSH()
        for number in 0..<50 {
            let kind = KeyKind.quick[number % 4]
            try ssh.makeKey("id\(number)", type: kind.arguments, comment: "no \(number)")
            let key = try PublicKey(line: try ssh.read("id\(number).pub"))
            for digest in Fingerprint.Kind.allCases {
                let shown = try ssh.keygen(["-lv", "-E", digest.rawValue, "-f", "id\(number).pub"]).text
                let fingerprint = Fingerprint(of: key, digest)
                let first = "\(key.bits ?? 0) \(fingerprint) no \(number) (\(key.algorithm.shortName))"
                let lines = [first] + Randomart.lines(of: key, digest)
                #expect(lines.joined(separator: "\n") + "\n" == shown)
            }
        }
    }
}
