import Secrets
import Testing

@Suite struct `A file of variables` {
    private func read(_ text: String) throws(VariableFileError) -> [String] {
        try VariableFile(reading: Array(text.utf8)).variables.map {
            String(decoding: $0.name, as: UTF8.self) + "=" + String(decoding: $0.value, as: UTF8.self)
        }
    }

    @Test(arguments: [
        ("A=1", ["A=1"]), ("", []), ("\n # c\r\n\t\n", []), ("\u{FEFF}A=1\r\nB=2\r\n", ["A=1", "B=2"]),
        ("export A=1\n export\tB = 2 \n", ["A=1", "B=2"]),
        ("export=1\nexport = 2", ["export=1", "export=2"]),
        ("A=", ["A="]), ("A= # c", ["A="]), ("A=b c # d", ["A=b c"]), ("A=b#c", ["A=b#c"]),
        ("A=vault:db/prod#user", ["A=vault:db/prod#user"]), ("A=\"vault:db/prod\"", ["A=vault:db/prod"]),
        ("A='b # \"c\" \\n $D' # e", ["A=b # \"c\" \\n $D"]),
        ("A=\"a\\n\\t\\\"\\\\\\$\\x\"", ["A=a\n\t\"\\$\\x"]),
        ("A='one\ntwo'\nB=\"x\n\ny\"\nC=3", ["A=one\ntwo", "B=x\n\ny", "C=3"]),
        ("A=it's\nB=a\"b", ["A=it's", "B=a\"b"]), ("A=1\nA=2", ["A=1", "A=2"]), ("A=b=c=d", ["A=b=c=d"]),
    ])
    func `is read as dotenv reads it`(text: String, variables: [String]) throws {
        #expect(try read(text) == variables)
    }

    @Test(arguments: [
        ("A", 1), ("A=1\nB C=2", 2), ("1A=x", 1), ("\n=x", 2), ("export A", 1), ("export A B=1", 1),
        ("A-B=1", 1),
        ("A=\"x", 1), ("X='1\n2'\nA='x\ny", 3), ("A='x'y", 1), ("A=\"x\" y", 1), ("A=\"x\"#y", 1),
        ("A=x\0", 1),
        ("A=1\nB='\0'", 2),
    ])
    func `is refused with its line where it is in no form`(text: String, line: Int) {
        #expect(throws: VariableFileError.malformed(line: line)) { try read(text) }
    }

    @Test(arguments: ["vault:x", "vault:", "Vault:db", "VAULT:db", " vault:db", "\"vault:db\"", "'vault:a b"])
    func `that was meant as a reference looks like one`(text: String) {
        #expect(Reference.isLookedLike(by: Array(text.utf8)))
    }

    @Test(arguments: ["", "my vault:x", "vaul", "vault", "xvault:a"])
    func `of other words looks like none`(text: String) {
        #expect(!Reference.isLookedLike(by: Array(text.utf8)))
    }
}
