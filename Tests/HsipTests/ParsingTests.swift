import ArgumentParser
import Testing

@testable import hsip

@Suite("The words of a command line")
struct ParsingTests {
    @Test(
        "are the same command to the short way as to the whole parser",
        arguments: [
            "overview", "version", "pair bob", "encrypt bob", "accept --as bob", "identity export",
            "ssh key list --trash", "ssh key generate work --type ecdsa-256", "vault slot test",
            "session show bob", "contact set bob --alias robert",
            "ssh known-hosts --for ORDER --host bob --port 22 --alias bob --type NONE --key NONE",
            "ssh known-hosts --for ADDRESS --host ::1",
        ]
    )
    func same(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let whole = try Hsip.parseAsRoot(words)
        let short = try Hsip.command(of: words)
        #expect(type(of: short) == type(of: whole))
        var (one, other) = ("", "")
        dump(short, to: &one)
        dump(whole, to: &other)
        #expect(one == other)
    }
}
