import SSHFormats
import Support
import Testing

struct SSHFPTests {
    @Test(arguments: KeyKind.quick)
    func `the records are those of ssh-keygen`(kind: KeyKind) throws {
        let ssh = try OpenSSH()
        try ssh.makeKey("id", type: kind.arguments)
        let key = try PublicKey(line: try ssh.read("id.pub"))
        let lines = SSHFP.all(of: key).map { "db1.example.org IN SSHFP \($0)\n" }
        #expect(lines.joined() == (try ssh.keygen(["-r", "db1.example.org", "-f", "id.pub"])).text)
        #expect(lines.count == 2)
    }

    @Test func `a type without a number has no record`() throws {
        let ssh = try OpenSSH()
        for name in ["ca", "id"] { try ssh.makeKey(name, type: ["ed25519"]) }
        try ssh.keygen(["-q", "-s", "ca", "-I", "x", "-h", "-n", "h", "id.pub"])
        #expect(SSHFP.all(of: try PublicKey(line: try ssh.read("id-cert.pub"))).isEmpty)
    }
}
