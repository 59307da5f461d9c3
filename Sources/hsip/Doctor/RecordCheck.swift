internal import Console
internal import FileStore
internal import RecordStore
internal import VaultCrypto

/// Whether the vault is there, is a vault, and is the one that was written down.
struct RecordCheck {
    let place: VaultPlace
    let config: ConfigFile

    /// One finding; `ok` means that the vault can be opened.
    func finding() -> Finding {
        let record: VaultRecord?
        do throws(Failure) {
            record = try config.record(of: place.key)
        } catch {
            return .problem(.vaultFile, error)
        }
        if record?.backend == .secretService {
            return .fine(.keyring, "the vault is recorded as one in the keyring")
        }
        guard Path.exists(place.file) else { return missing(record) }
        if record == nil, place.isOldCopy { return oldCopy }
        let glance: FileGlance
        do throws(StoreError) {
            glance = try FileStore.glance(at: place.paths)
        } catch {
            return .problem(error)
        }
        return judge(record, glance)
    }

    /// Whoever lost the record of a vault in the keyring must not get what it was before it moved there.
    private var oldCopy: Finding {
        Finding(
            check: .vaultFile,
            state: .notice,
            message: "\(place.file) is an old copy of a vault that was moved",
            reason: "it opens no more; the vault is in the keyring, or under another name",
            hint: "hsip doctor --fix  where the keyring answers"
        )
    }

    private func missing(_ record: VaultRecord?) -> Finding {
        if record?.keeping == .unknown { return .problem(.vaultFile, Misplaced.unknownBackend(place)) }
        guard record != nil else {
            return Finding(
                check: .vaultFile,
                state: .notice,
                message: "there is no vault yet",
                hint: "hsip init"
            )
        }
        return .problem(
            .vaultFile,
            Misplaced.missing(place),
            reason: "nothing is made in its place while it is expected back",
            fix: Finding.Fix(question: "Forget that vault? Its file is gone") {
                try config.set(nil, of: place.key)
            }
        )
    }

    private func judge(_ record: VaultRecord?, _ glance: FileGlance) -> Finding {
        let fine = Finding.fine(.vaultFile, "the vault is there, and it is the one that was recorded")
        guard let record else {
            guard place.name != nil else { return fine }
            return .problem(.vaultFile, Misplaced.unrecorded(place), fix: adopt(glance))
        }
        guard case .file(let path) = record.keeping else {
            return .problem(.vaultFile, Misplaced.unknownBackend(place))
        }
        guard glance.vaultID == record.id else {
            return .problem(
                .vaultFile,
                Misplaced.exchanged(place),
                reason: "somebody may have put another vault in its place",
                fix: adopt(glance, needsPerson: true)
            )
        }
        guard path == place.file else {
            return .problem(.vaultFile, Misplaced.moved(place), fix: adopt(glance))
        }
        return fine
    }

    private func adopt(_ glance: FileGlance, needsPerson: Bool = false) -> Finding.Fix {
        let id = Hex.encode(Array(glance.vaultID.prefix(4)))
        return Finding.Fix(
            question: "Is the vault \(id)… at \(place.file) yours, and to be used?",
            needsPerson: needsPerson
        ) {
            let old = try config.record(of: place.key)
            let new = VaultRecord(id: glance.vaultID, path: place.file)
            try config.set(new.replacing(old), of: place.key)
        }
    }
}
