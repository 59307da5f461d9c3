import Support
import Testing
import VaultLifecycle

@Suite struct KeyringMemoryTests {
    @Test func `a line is read as it was written`() {
        #expect(
            KeyringMemory.entry("HSIP-KEYRING-1 1700000000 ok\n") == .init(at: 1_700_000_000, outcome: "ok")
        )
    }

    @Test(arguments: ["", "\n", "HSIP-KEYRING-1 x ok", "HSIP-KEYRING-2 1 ok", "HSIP-KEYRING-1 1", "a b c d"])
    func `anything else says nothing`(_ text: String) {
        #expect(KeyringMemory.entry(text) == nil)
    }
}
