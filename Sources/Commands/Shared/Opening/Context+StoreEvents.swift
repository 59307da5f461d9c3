internal import FileStore
internal import Presentation
internal import RecordStore
internal import SecretServiceStore
internal import Text
package import VaultLifecycle

extension Context {
    /// Reports the events of opening the store.
    ///
    /// If the last state is neither recorded nor can be, one sentence says both.
    func tell(_ events: [StoreEvent]) {
        let isUnwritable = events.contains { if case .anchorNotWritten = $0 { true } else { false } }
        guard isUnwritable, events.contains(.anchorMissing) else {
            for event in events { tell(event) }
            return
        }
        output.warn(
            Warning(
                "anchorMissing",
                "hsip cannot record the vault's last state in \(memoryFolder): the vault counts as restored "
                    + "from a backup, again after each change",
                hint: "make the folder \(memoryFolder) writable for you"
            )
        )
    }

    /// The folder where this machine records the vault's last state.
    private var memoryFolder: String {
        (try? place()).map { output.display.cell($0.paths.anchorFolder) } ?? "the state folder"
    }

    /// Records something about a vault in `config.json`, after a completed operation; if that fails, hsip only warns.
    package func remember(
        _ vaultID: [UInt8],
        at place: VaultPlace,
        _ edit: (inout VaultRecord) -> Void
    ) {
        tell(config(place).remember(place.key, of: vaultID, edit), keptFrom: config(place))
    }

    /// Warns that the command succeeded, and why hsip could not record that.
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

    /// Reports the changes that opening a vault in the keyring made.
    func tell(_ store: SecretServiceStore) {
        if store.cleanedUp > 0 {
            output.note(
                "hsip removed items that an interrupted command left in the keyring: \(store.cleanedUp)"
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
                    "this machine has no record of the vault's last state: the vault counts as restored from a backup",
                    hint: "hsip status  lists what to renew and verify"
                )
            )
        case .anchorNotWritten:
            output.note("hsip could not record the vault's last state in \(memoryFolder)")
        case .stale:
            output.note("hsip opened an old copy of the vault, for reading only")
        case .keyReplaced(let found, let expected):
            output.warn(
                Warning(
                    "keyReplaced",
                    "the vault has a new key that this machine did not make: key epoch \(found.epoch), and "
                        + "\(expected.epoch) when it was last opened here; if neither you nor an interrupted rekey "
                        + "made the key, a person who had the old key may have made this vault",
                    hint: "hsip vault rekey --fresh  makes a key that nobody else has"
                )
            )
        case .logNotTruncated:
            output.note(
                "another process is using the vault: until it ends, removed data stay in the vault's log"
            )
        }
    }
}
