import SecretServiceStore
import Support
import Testing

@Suite struct KeyringPathsTests {
    @Test func `the lock lies in the runtime folder, or beside the anchor where there is none`() {
        let runtime = ["XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(KeyringPaths(anchorFolder: "/s/hsip", environment: runtime).lockFolder == "/run/user/1/hsip")
        for environment in [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "run"]] {
            #expect(
                KeyringPaths(anchorFolder: "/s/hsip", environment: environment).lockFolder == "/s/hsip/run"
            )
        }
    }
}
