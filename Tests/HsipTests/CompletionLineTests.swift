import Testing

@testable import hsip

/// A command line up to the cursor, as shells hand it over.
@Suite struct CompletionLineTests {
    @Test(arguments: [
        ("hsip secret get ", ["hsip", "secret", "get"], ""),
        ("hsip secret get db", ["hsip", "secret", "get"], "db"),
        ("hsip get x --field=u", ["hsip", "get", "x", "--field"], "u"),
        ("hsip  get 'two words' --field u", ["hsip", "get", "two words", "--field"], "u"),
        (#"hsip get two\ words "a b"#, ["hsip", "get", "two words"], "a b"),
        (#"hsip get 'a\b' "it's"#, ["hsip", "get", #"a\b"#], "it's"), ("", [], ""),
    ])
    func `words are parted as a shell parts them`(line: String, words: [String], last: String) {
        let found = CompletionLine(line, end: "")
        #expect(found.words == words && found.last == last)
    }

    @Test(arguments: [
        ("get vault:na", "na", ["name", "nap"]), ("get vault:na", "vault:na", ["vault:name", "vault:nap"]),
        ("get vault:", "", ["name", "nap"]), ("get ", "", ["vault:name", "other", "vault:nap"]),
        (#"get vault:na"#, #"n\a"#, ["name", "nap"]), ("get x", "x", []),
    ])
    func `what a shell keeps of a word is not said once more`(line: String, end: String, endings: [String]) {
        let found = CompletionLine(line, end: end)
        #expect(found.endings(among: ["vault:name", "other", "vault:nap"]) == endings)
    }
}
