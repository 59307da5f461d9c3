import AgentKit
import Testing

@testable import hsip_agent

@Suite struct AgentOptionsTests {
    @Test func `without words the usual vault is served with the usual limits`() throws {
        let options = try AgentOptions([])
        #expect(options.vault == nil)
        #expect(options.limits == .standard)
        #expect(options.readyDescriptor == nil)
    }

    @Test func `values may stand behind the word or behind an equals sign`() throws {
        let options = try AgentOptions(["--vault=work", "--idle", "60", "--longest=3600", "--ready-fd", "3"])
        #expect(options.vault == "work")
        #expect(options.limits == .init(idle: 60_000_000_000, absolute: 3_600_000_000_000))
        #expect(options.readyDescriptor == 3)
    }

    @Test(arguments: [
        (["--valut", "x"], "--valut"), (["vault"], "vault"), (["--vault"], "--vault"),
        (["--vault="], "--vault"),
        (["--idle", "0"], "--idle"), (["--idle", "-1"], "--idle"), (["--longest", "1h"], "--longest"),
        (["--idle", "99999999999999999999"], "--idle"), (["--ready-fd", "2"], "--ready-fd"), ([""], ""),
    ])
    func `a word that is none of ours is named`(words: [String], word: String) {
        #expect(throws: AgentOptions.Mistake(word: word)) { try AgentOptions(words) }
    }
}
