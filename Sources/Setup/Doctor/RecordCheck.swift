internal import FileStore
internal import Presentation
internal import RecordStore
internal import Text
internal import VaultCrypto
internal import VaultLifecycle

/// Whether the vault is there, is a vault, and is the one that was written down.
package struct RecordCheck {
    let place: VaultPlace
    let config: ConfigFile

    package init(_ context: CheckContext) { (place, config) = (context.place, context.config) }

    /// One finding; `ok` means that the vault can be opened.
    package func finding() -> Finding {
        let record: VaultRecord?
        do throws(OpeningError) {
            record = try config.record(of: place.key)
        } catch {
            return .problem(.vaultFile, Failure(error))
        }
        if record?.backend == .secretService {
            return .fine(.keyring, "the vault is recorded as a vault in the keyring")
        }
        guard Path.exists(place.file) else { return missing(record) }
        if record == nil, place.isOldCopy { return oldCopy }
        let overview: FileOverview
        do throws(StoreError) {
            overview = try FileStore.overview(at: place.paths)
        } catch {
            return .problem(error)
        }
        return judge(record, overview)
    }

    /// Anyone who lost the record of a vault in the keyring must not get what it was before it moved there.
    private var oldCopy: Finding {
        Finding(
            check: .vaultFile,
            state: .notice,
            message: "\(place.file) is the old copy of a moved vault",
            reason: "the copy no longer opens; the vault is in the keyring, or has another name",
            hint: "hsip doctor --fix  when the keyring is running"
        )
    }

    private func missing(_ record: VaultRecord?) -> Finding {
        if record?.storage == .unknown { return .problem(.vaultFile, misplaced(.unknownBackend)) }
        guard let record else {
            if let anchor = try? config.forgottenAnchor(in: place.paths.anchorFolder) {
                return Finding(
                    check: .vaultFile,
                    state: .notice,
                    message: "no vault is recorded, but \(anchor) shows that there was one",
                    reason: "the vault may be in a keyring that is not running now",
                    hint: "hsip doctor --fix  when the keyring is running"
                )
            }
            return Finding(
                check: .vaultFile,
                state: .notice,
                message: "there is no vault yet",
                hint: "hsip init"
            )
        }
        return .problem(
            .vaultFile,
            misplaced(.missing(file: place.file)),
            reason: "hsip makes no other vault while this vault may come back",
            fix: Self.forget(record, place, config, question: "Forget the vault whose file is gone")
        )
    }

    /// Forgetting a vault, which a person alone may ask for: it may be out of reach for a moment only.
    ///
    /// - Returns: nil while the record knows of copies, which would be lost from sight with it.
    static func forget(
        _ record: VaultRecord,
        _ place: VaultPlace,
        _ config: ConfigFile,
        question: String
    ) -> Finding.Fix? {
        guard !record.knowsOfCopies else { return nil }
        return Finding.Fix(question: question, needsPerson: true) {
            try config.change(place.key) { present throws(Failure) in
                guard let present else { return nil }
                guard present.isSame(as: record), !present.knowsOfCopies else { throw Self.changed }
                return nil
            }
        }
    }

    private func judge(_ record: VaultRecord?, _ overview: FileOverview) -> Finding {
        let fine = Finding.fine(.vaultFile, "the vault is in its recorded place")
        guard let record else {
            guard place.name != nil else { return fine }
            return .problem(
                .vaultFile,
                misplaced(.unrecorded(file: place.file)),
                fix: adopt(overview, for: nil)
            )
        }
        guard case .file(let path) = record.storage else {
            return .problem(.vaultFile, misplaced(.unknownBackend))
        }
        guard overview.vaultID == record.id else {
            return .problem(
                .vaultFile,
                misplaced(.exchanged(file: place.file)),
                reason: "someone may have replaced the vault by another one",
                fix: adopt(overview, for: record, needsPerson: true)
            )
        }
        guard path == place.file else {
            return .problem(
                .vaultFile,
                misplaced(.moved(file: place.file)),
                fix: adopt(overview, for: record)
            )
        }
        return fine
    }

    private func adopt(
        _ overview: FileOverview,
        for old: VaultRecord?,
        needsPerson: Bool = false
    ) -> Finding.Fix {
        let id = Hex.encode(Array(overview.vaultID.prefix(4)))
        return Finding.Fix(
            question: "Is the vault \(id)… at \(place.file) yours? Use this vault",
            needsPerson: needsPerson
        ) {
            try config.change(place.key) { present throws(Failure) in
                let isSame = present.map { $0.isSame(as: old) } ?? (old == nil)
                guard isSame else { throw Self.changed }
                if var tree = present?.tree, present?.id == overview.vaultID {
                    tree["path"] = .text(place.file)
                    return VaultRecord(tree)
                }
                return VaultRecord(id: overview.vaultID, path: place.file).replacing(present)
            }
        }
    }

    private func misplaced(_ how: Misplacement) -> Failure {
        Failure(OpeningError.misplaced(how))
    }

    /// What was found is not what is recorded by now.
    static var changed: Failure {
        Failure(
            .conflict,
            "another process changed the record of the vault meanwhile; hsip left the record as it is",
            hint: "hsip doctor"
        )
    }
}
