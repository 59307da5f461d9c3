import Commands
import Presentation
import RecordStore
import Testing

/// The way to open the vault that a command line names.
@Suite struct UnlockWayTests {
    @Test(
        arguments: [
            (["--with", "tpm2", "secret", "list"], .device(.tpm, nil), ["secret", "list"]),
            (["secret", "list", "--with=passphrase"], .passphrase, ["secret", "list"]),
            (["--with", "recovery", "status"], .recovery, ["status"]),
            (["--with", "fido2", "status"], .device(.securityKey, nil), ["status"]),
            (["--with", "3", "status"], .slot(3), ["status"]),
            (["vault", "repair", "--with", "backup"], nil, ["vault", "repair", "--with", "backup"]),
            (["vault", "backup", "--with", "passphrase"], nil, ["vault", "backup", "--with", "passphrase"]),
            (["--with", "tpm2", "vault", "repair"], .device(.tpm, nil), ["vault", "repair"]),
            (["run", "program", "--with", "x"], nil, ["run", "--", "program", "--with", "x"]),
        ] as [([String], UnlockWay?, [String])]
    )
    func `a way is named anywhere, but not behind a command with another option of this name`(
        line: [String],
        way: UnlockWay?,
        words: [String]
    ) throws {
        let (globals, rest) = try Globals.split(line)
        #expect(globals.way == way && rest == words)
    }

    @Test(arguments: ["", "luck", "keyring", "-1", "4294967296", "tpm"])
    func `another word is a wrong option`(word: String) {
        #expect(throws: Failure.self) { try Globals.split(["--with", word, "status"]) }
    }
}
