import RecordStore
import Support
import Testing
import VaultLifecycle

@testable import hsip

@Suite struct KeyringTextTests {
    static let errors: [StoreError] = [
        .noSessionBus, .noSecretService, .noSecretLibrary, .noSuchCollection, .keyringLocked,
        .promptDismissed, .keyringTimeout, .keyringDied, .keyringRefused(code: 1),
    ]

    private func texts(
        _ here: HostEnvironment,
        folder: String? = nil,
        hasDaemon: Bool = false
    ) -> KeyringTexts {
        KeyringTexts(here: here, hiddenRuntimeFolder: folder, hasDaemon: hasDaemon)
    }

    @Test(arguments: errors, HostEnvironment.allCases) func `every error has one line and at most one hint`(
        _ error: StoreError,
        _ here: HostEnvironment
    ) {
        let (message, hint) = texts(here).text(of: error)
        #expect(!message.isEmpty && !message.contains("\n") && !message.hasSuffix("."))
        #expect(message.first?.isUppercase == false)
        #expect(hint?.contains("\n") != true)
    }

    @Test func `the place is named where it explains something`() {
        #expect(texts(.ssh).text(of: .noSessionBus).0.contains("in this SSH login"))
        #expect(texts(.wsl).text(of: .noSessionBus).0.contains("in WSL"))
        #expect(texts(.container).text(of: .noSecretService).0.contains("in this container"))
        #expect(!texts(.plain).text(of: .noSessionBus).0.contains("  "))
    }

    @Test func `a bus that is only not named is the way out`() {
        let hint = texts(.ssh, folder: "/run/user/1000").text(of: .noSessionBus).hint
        #expect(hint == "export XDG_RUNTIME_DIR=/run/user/1000")
    }

    @Test func `a daemon that is installed is started, else installed`() {
        #expect(texts(.plain, hasDaemon: true).text(of: .noSecretService).hint?.contains("--start") == true)
        #expect(texts(.plain).text(of: .noSecretService).hint == "apt install gnome-keyring")
    }
}
