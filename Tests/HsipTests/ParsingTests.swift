import ArgumentParser
import Testing

@testable import Commands
@testable import hsip

@Suite("The words of a command line")
struct ParsingTests {
    @Test(
        "are the same command to the short way as to the whole parser",
        arguments: [
            "overview", "version", "pair bob", "accept --as bob", "identity export",
            "encrypt bob", "encrypt bob letter.txt", "encrypt bob -", "encrypt bob my text",
            "encrypt --lines bob",
            "encrypt bob --verbose-form", "encrypt bob -o file --force", "encrypt bob --output=file",
            "encrypt -- -bob",
            "encrypt bob --output file", "encrypt bob --stealth --copy",
            "decrypt", "decrypt chat.txt", "decrypt -", "decrypt --inline chat.txt", "decrypt -0",
            "decrypt --from bob",
            "decrypt chat.txt --reread", "decrypt -- chat.txt", "decrypt --paste --stealth",
            "ssh key show work", "ssh key show work --trash", "ssh key show --trash work",
            "ssh key show -- -x",
            "ssh key show SHA256:AAAA", "ssh key list --trash", "ssh key generate work --type ecdsa-256",
            "vault slot test", "secret get db/prod", "secret get db/prod --field user",
            "secret get db/prod --field=user", "secret get --field user db/prod",
            "secret get db/prod -o scan.pdf",
            "secret get db/prod --copy --clear 15s", "secret get db/prod value",
            "secret get db/prod --version 2",
            "session show bob", "contact set bob --alias robert",
            "ssh known-hosts --for ORDER --host bob --port 22 --alias bob --type NONE --key NONE",
            "ssh known-hosts --for ADDRESS --host ::1", "ssh known-hosts --for=ORDER --host bob",
            "ssh known-hosts --host -x --for HOSTNAME --key AAAA --type ssh-rsa",
        ]
    )
    func same(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let whole = Self.plain(try Hsip.parseAsRoot(words))
        let short: Any = try Hsip.plainCommand(of: words) ?? Self.plain(try Hsip.command(of: words))
        #expect(type(of: short) == type(of: whole))
        var (one, other) = ("", "")
        dump(short, to: &one)
        dump(whole, to: &other)
        #expect(one == other)
    }

    @Test(
        "may be an older name of a command or of a value",
        arguments: [
            ("vault verify", "vault check"), ("identity revoke -o x", "identity revocation-notice -o x"),
            ("secret gifts --of bob", "secret shared --of bob"),
            ("agent quiet --clear", "agent blocked --clear"),
            ("contact trust-new-key bob", "contact replace-key bob"),
            ("ssh host replace db1", "ssh host replace-key db1"),
            ("passwd", "vault passphrase"), ("passphrase --weak", "vault passphrase --weak"),
            ("init --backend secret-service", "init --backend keyring"),
            ("vault migrate --to secret-service", "vault migrate --to keyring"),
            ("vault slot add secret-service", "vault slot add keyring"),
            ("vault import --from secret-service", "vault import --from keyring"),
            ("item import --from secret-service", "item import --from keyring"),
            ("item export --to secret-service", "item export --to keyring"),
        ]
    )
    func older(_ old: String, _ new: String) throws {
        let commands = try [old, new].map { line in
            try Hsip.command(of: OtherWords.translated(line.split(separator: " ").map(String.init)))
        }
        let texts = commands.map { command in
            var text = ""
            dump(command, to: &text)
            return text
        }
        #expect(texts[0] == texts[1])
        #expect(!Hsip.helpMessage(for: type(of: commands[0]), columns: 80).contains(old))
    }

    @Test("ask for help by an older name, too")
    func olderHelp() {
        #expect(
            OtherWords.translated(["help", "ssh", "host", "replace"]) == [
                "help", "ssh", "host", "replace-key",
            ]
        )
    }

    /// What a command that has a shorter form of its own is in that form; every other one as it is.
    private static func plain(_ command: any ParsableCommand) -> Any {
        guard let get = command as? SecretGet, get.rest.isEmpty, !get.clipboard.copy, !get.qr,
            get.output == nil, get.version == nil
        else { return command }
        return SecretReading(name: get.name, field: get.field, version: nil, place: .output)
    }

    @Test(
        "are left to the parser where it has something to say",
        arguments: [
            "encrypt", "encrypt bob --nonsense", "encrypt bob --output", "encrypt bob --output a --output b",
            "decrypt a b", "decrypt --nonsense x", "ssh key show", "ssh key show a b", "ssh key show --help",
            "secret get", "secret get --help", "secret get a --field", "secret get a --field b --field c",
            "secret get a --nonsense b", "ssh known-hosts --for ORDER",
            "ssh known-hosts x --for ORDER --host bob", "encrypt --help",
        ]
    )
    func refused(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        #expect(Hsip.plainCommand(of: words) == nil)
    }

    @Test("are never an empty value by the short way", arguments: [["encrypt", ""], ["decrypt", ""]])
    func empty(_ words: [String]) {
        #expect(Hsip.plainCommand(of: words) == nil)
    }
}
