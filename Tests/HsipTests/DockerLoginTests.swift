import Testing
import VaultCrypto

@testable import Setup

/// What docker says to its helper, read as RFC 8259 has it and no other way.
@Suite struct DockerLoginTests {
    private func login(_ json: String) throws -> [String]? {
        let login = try DockerLogin(try SecretBytes(copying: Array(json.utf8)))
        return login.map {
            [$0.address, $0.user, $0.secret.withBytes { String(decoding: $0.copied(), as: UTF8.self) }]
        }
    }

    @Test(
        arguments: [
            (#"{"ServerURL":"a","Username":"b","Secret":"c"}"#, ["a", "b", "c"]),
            (" {\t\"Secret\" :\r\n\"c\" , \"ServerURL\":\"a\",\"Username\":\"b\" } \n", ["a", "b", "c"]),
            ("{}", ["", "", ""]),
            (#"{"Secret":"c","Other":"x"}"#, ["", "", "c"]),
            (#"{"Secret":"\"\\\/\b\f\n\r\t"}"#, ["", "", "\"\\/\u{8}\u{C}\n\r\t"]),
            (#"{"Secret":"\u00fc\u20AC\ud83d\ude00\u0000"}"#, ["", "", "ü€😀\u{0}"]),
            (#"{"Secr\u0065t":"c"}"#, ["", "", "c"]),
            (#"{"secret":"c","SECRET":"d"}"#, ["", "", ""]),
        ]
    )
    func `an object of texts is a login`(json: String, wanted: [String]) throws {
        #expect(try login(json) == wanted)
    }

    @Test(
        arguments: [
            "", "{", "}", "[]", "null", "{} x", "{}{}", #"{"Secret"}"#, #"{"Secret":}"#, #"{"Secret":1}"#,
            #"{"Secret":null}"#, #"{"Secret":{"a":"b"}}"#, #"{"Secret":"c",}"#, #"{,"Secret":"c"}"#,
            #"{"Secret":"c" "User":"d"}"#, #"{"Secret":"c","Secret":"d"}"#,
            #"{"Secret":"c","Secr\u0065t":"d"}"#,
            #"{"Secret":"c"#, #"{"Secret":"\x"}"#, #"{"Secret":"\u12"}"#, #"{"Secret":"\u12G4"}"#,
            #"{"Secret":"\ud83d"}"#, #"{"Secret":"\ude00"}"#, #"{"Secret":"\ud83dx"}"#,
            #"{"Secret":"\ud83d\u0041"}"#,
            #"{"Secret":"\"#, "{\"Secret\":\"a\nb\"}", "{\"Secret\":\"a\u{0}b\"}", #"{'Secret':'c'}"#,
            "\u{FEFF}{}",
        ]
    )
    func `anything else is none`(json: String) throws {
        #expect(try login(json) == nil)
    }

    @Test func `an address and a user are text, a secret may be any bytes`() throws {
        func json(_ name: String) throws -> SecretBytes {
            try SecretBytes(copying: Array("{\"\(name)\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8))
        }
        #expect(try DockerLogin(try json("ServerURL")) == nil)
        #expect(try DockerLogin(try json("Username")) == nil)
        let login = try #require(try DockerLogin(try json("Secret")))
        #expect(login.secret.withBytes { $0.copied() } == [0xFF, 0xFE])
    }
}
