import Testing
import VaultLifecycle

@testable import Presentation

@Suite struct KeyringTextTests {
    private func texts(
        _ here: HostEnvironment,
        folder: String? = nil,
        hasDaemon: Bool = false
    ) -> KeyringText {
        KeyringText(here: here, hiddenRuntimeFolder: folder, hasDaemon: hasDaemon)
    }

    @Test(arguments: HostEnvironment.allCases) func `both errors have one line and at most one hint`(
        _ here: HostEnvironment
    ) {
        for (_, message, hint) in [texts(here).noSessionBus, texts(here).noSecretService] {
            #expect(!message.isEmpty && !message.contains("\n") && !message.hasSuffix("."))
            #expect(message.first?.isUppercase == false)
            #expect(hint?.contains("\n") != true)
        }
    }

    @Test func `the place is named where it explains something`() {
        #expect(texts(.ssh).noSessionBus.1.contains("in this SSH login"))
        #expect(texts(.wsl).noSessionBus.1.contains("in WSL"))
        #expect(texts(.container).noSecretService.1.contains("in this container"))
        #expect(!texts(.plain).noSessionBus.1.contains("  "))
    }

    @Test func `a bus that is only not named is the way out`() {
        let hint = texts(.ssh, folder: "/run/user/1000").noSessionBus.hint
        #expect(hint == "export XDG_RUNTIME_DIR=/run/user/1000")
    }

    @Test func `a daemon that is installed is started, else installed`() {
        #expect(texts(.plain, hasDaemon: true).noSecretService.hint?.contains("--start") == true)
        #expect(texts(.plain).noSecretService.hint == "apt install gnome-keyring")
    }
}
