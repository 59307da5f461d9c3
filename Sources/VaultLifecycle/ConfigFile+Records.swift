internal import RecordStore
internal import System
internal import Text
internal import VaultCrypto

extension ConfigFile {
    /// The record of a vault; nil when there is none.
    package func record(of key: String) throws(OpeningError) -> VaultRecord? {
        guard let tree = try read()["vaults"]?[key], tree != .null else { return nil }
        guard let record = VaultRecord(tree) else { throw unreadable }
        return record
    }

    /// Every record that can be read, by the name of its vault.
    package func records() throws(OpeningError) -> [String: VaultRecord] {
        var records: [String: VaultRecord] = [:]
        for vault in try read()["vaults"]?.members ?? [] { records[vault.name] = VaultRecord(vault.value) }
        return records
    }

    /// The identifiers of all recorded vaults, written as in the names of their anchors.
    package func identifiers() throws(OpeningError) -> Set<String> {
        Set(try records().values.map { Hex.encode($0.id) })
    }

    /// The anchor of a vault that was seen here and is not recorded; nil if there is none.
    package func forgottenAnchor(in folder: String) throws(OpeningError) -> String? {
        let known = try identifiers()
        return Path.names(in: folder)
            .first { $0.hasPrefix("anchor-") && !known.contains(String($0.dropFirst("anchor-".count))) }
            .map { "\(folder)/\($0)" }
    }

    /// Records a vault, or forgets it; everything else in the file stays, also what another process writes there
    /// at this moment.
    package func set(_ record: VaultRecord?, of key: String) throws(OpeningError) {
        try revise(key) { _ in record }
    }

    /// Changes the record of a vault by an edit that cannot fail.
    package func revise(
        _ key: String,
        _ edit: (VaultRecord?) -> VaultRecord?
    ) throws(OpeningError) {
        do {
            try change(key, edit)
        } catch let error as OpeningError {
            throw error
        } catch {
            throw .unwritableConfig(path: path)
        }
    }

    /// Changes the newest record of a vault.
    ///
    /// - Throws: `OpeningError`, or what `edit` throws; then nothing was changed.
    package func change(
        _ key: String,
        _ edit: (VaultRecord?) throws -> VaultRecord?
    ) throws {
        try self.edit { tree in
            var vaults = tree["vaults"] ?? [:]
            let present = vaults[key] ?? .null
            let old = VaultRecord(present)
            // An unreadable record is not treated as missing.
            guard old != nil || present == .null else { throw unreadable }
            vaults[key] = try edit(old)?.tree
            tree["vaults"] = vaults
        }
    }

    /// Changes the record of one vault, if that vault is still the recorded one.
    ///
    /// What another process recorded meanwhile stays, and so does the record of another vault.
    package func update(
        _ key: String,
        of vaultID: [UInt8],
        _ edit: (inout VaultRecord) -> Void
    ) throws(OpeningError) {
        try revise(key) { present in
            guard var record = present, record.id == vaultID else { return present }
            edit(&record)
            return record
        }
    }

    /// Records something that was already done, which a failure to write does not undo.
    ///
    /// - Returns: why it was not written; nil if it was, or if the vault is not the recorded one.
    package func remember(
        _ key: String,
        of vaultID: [UInt8],
        _ edit: (inout VaultRecord) -> Void
    ) -> OpeningError? {
        do throws(OpeningError) {
            // If the vault is not recorded, `config.json` is not created.
            guard try record(of: key)?.id == vaultID else { return nil }
            try update(key, of: vaultID, edit)
            return nil
        } catch {
            return error
        }
    }
}

extension ConfigFile {
    private static let texts = "textHistory"

    /// Whether the history of texts was on at the last look.
    ///
    /// With it, a command that does not need the vault asks nobody to unlock it just for a history that is off. Only the
    /// vault decides whether the history is on.
    package func remembersTexts(_ key: String) throws(OpeningError) -> Bool {
        try read()[Self.texts]?[key] == .bool(true)
    }

    /// Remembers whether the vault has the history of texts on.
    package func setRemembersTexts(_ isOn: Bool, _ key: String) throws(OpeningError) {
        guard try remembersTexts(key) != isOn else { return }
        do {
            try edit { tree in
                var texts = tree[Self.texts] ?? [:]
                texts[key] = isOn ? .bool(true) : nil
                tree[Self.texts] = texts.members.isEmpty ? nil : texts
            }
        } catch let error as OpeningError {
            throw error
        } catch {
            throw .unwritableConfig(path: path)
        }
    }
}
