internal import Console
internal import FileStore
internal import Presentation
internal import RecordStore
internal import SafeText
internal import SecretServiceStore
package import VaultLifecycle

extension Context {
    /// Says what the store noted while it was opened; that there is no memory, and can be none, in one sentence.
    func tell(_ events: [StoreEvent]) {
        let isUnwritable = events.contains { if case .anchorNotWritten = $0 { true } else { false } }
        guard isUnwritable, events.contains(.anchorMissing) else {
            for event in events { tell(event) }
            return
        }
        output.warn(
            Warning(
                "anchorMissing",
                "no memory of the vault can be kept in \(memoryFolder): it counts as restored from a backup, and "
                    + "does so again after each change",
                hint: "make \(memoryFolder) a folder that you can write"
            )
        )
    }

    /// Where this machine remembers the vault's last state.
    private var memoryFolder: String {
        (try? place()).map { output.display.cell($0.paths.anchorFolder) } ?? "the state folder"
    }

    /// Remembers something of a vault in `config.json`, after the act that it is about; what keeps it from being written is
    /// a warning.
    package func remember(
        _ vaultID: [UInt8],
        at place: VaultPlace,
        _ edit: (inout VaultRecord) -> Void
    ) {
        tell(config(place).remember(place.key, of: vaultID, edit), keptFrom: config(place))
    }

    /// Says that something was done, and what kept it from being remembered.
    package func tell(_ failure: OpeningError?, keptFrom config: ConfigFile) {
        guard let failure else { return }
        output.warn(
            Warning(
                "notRemembered",
                "the command succeeded, but hsip could not note that in \(output.display.text(config.path)): "
                    + failure.explanation(output.display).message,
                hint: "hsip doctor"
            )
        )
    }

    /// Says what opening a vault in the keyring did.
    func tell(_ store: SecretServiceStore) {
        if store.cleanedUp > 0 {
            output.note(
                "a command was interrupted; items removed that it left in the keyring: \(store.cleanedUp)"
            )
        }
        if store.isPutBack { output.note(TerminalCaller.rootPutBack) }
    }

    private func tell(_ event: StoreEvent) {
        switch event {
        case .anchorMissing:
            output.warn(
                Warning(
                    "anchorMissing",
                    "this machine has no memory of the vault: it counts as restored from a backup",
                    hint: "hsip status  lists what to renew and to compare"
                )
            )
        case .anchorNotWritten:
            output.note("the memory of the vault's last state could not be written in \(memoryFolder)")
        case .stale:
            output.note("this is an old copy of the vault, opened for reading only")
        case .keyReplaced(let found, let expected):
            output.warn(
                Warning(
                    "keyReplaced",
                    "the vault has a new key that was not made here: key epoch \(found.epoch), and \(expected.epoch) when "
                        + "it was opened here last; if neither you nor a rekey that was stopped made it, this may be a "
                        + "vault of a person who had the old key",
                    hint: "hsip vault rekey --fresh  makes a key that no one else has"
                )
            )
        case .logNotTruncated:
            output.note("another process holds the vault: what was removed stays in its log until it ends")
        }
    }
}
