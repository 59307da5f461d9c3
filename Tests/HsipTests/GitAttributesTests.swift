import Presentation
import Secrets
import Testing
import VaultCrypto

@testable import Setup

/// What git says to its helper, also when someone else chose its words: the address comes from a repository.
@Suite struct GitAttributesTests {
    private func attributes(_ text: String) throws -> GitAttributes {
        try GitAttributes(try SecretBytes(copying: Array(text.utf8)))
    }

    private func text(_ secret: Secret?) -> String? {
        secret.map { $0.withBytes { String(decoding: $0.copied(), as: UTF8.self) } }
    }

    @Test func `each line says one thing, and what is not known is passed over`() throws {
        let told = try attributes(
            "capability[]=authtype\nprotocol=https\nhost=Example.org:443\npath=a/b.git\nusername=me\npassword=x=y \n"
                + "oauth_refresh_token=r\npassword_expiry_utc=7\nwwwauth[]=a\nwwwauth[]=b\n\nhost=behind\n"
        )
        #expect(told.url?.shown == "https://example.org/a/b.git")
        #expect(told.username == "me" && told.expiry == 7)
        #expect(text(told.password) == "x=y " && text(told.refreshToken) == "r")
        #expect(told.texts.count == 5 && told.secrets.count == 2)
    }

    @Test(
        arguments: [
            "protocol=https", "host=good", "path=x", "username=me", "password=x", "oauth_refresh_token=x",
            "password_expiry_utc=1",
        ]
    )
    func `nothing is said twice: the second host may be another one's`(line: String) {
        let other = line.split(separator: "=")[0] + "=other"
        #expect(throws: Failure.self) { try attributes("\(line)\nnew=thing\n\(other)\n") }
        #expect(throws: Failure.self) { try attributes("\(line)\n\(line)\n") }
    }

    @Test(arguments: ["nonsense\n", "=x\n", "host\n", "host=\u{FF}x\nnonsense"])
    func `what is no attribute is not from git`(text: String) {
        #expect(throws: Failure.self) { try attributes(text) }
    }

    @Test func `bytes that are no text are no host`() {
        #expect(throws: Failure.self) {
            try GitAttributes(try SecretBytes(copying: Array("host=".utf8) + [0xFF, 0x0A]))
        }
    }

    @Test(
        arguments: [
            "protocol=https\n", "host=h\n", "protocol=https\nhost=\n", "protocol=\nhost=h\n",
            "protocol=https\nhost=h\rhost=evil\n", "protocol=https\nhost=h\u{0}evil\n",
            "protocol=https\nhost=a@b\n",
            "protocol=https\nhost=h/x\n", "protocol=https\nhost=h evil\n",
            "protocol=https\nhost=h\npath=a\rb\n",
            "protocol=https://good.example/\nhost=evil\n", "protocol=cert\npath=/key\n",
        ]
    )
    func `without a whole address there is no login to find`(text: String) throws {
        #expect(try attributes(text).url == nil)
    }

    @Test func `an end that is no number is none, and an empty user is one without a name`() throws {
        let told = try attributes("password_expiry_utc=soon\nusername=\n")
        #expect(told.expiry == nil && told.username == "")
        #expect(try attributes("host=h\n").username == nil)
    }
}
