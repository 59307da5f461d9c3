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

    /// The identifiers of all vaults that are recorded, as the names of their anchors have them.
    package func identifiers() throws(OpeningError) -> Set<String> {
        Set(try records().values.map { Hex.encode($0.id) })
    }

    /// The anchor of a vault that was seen here and is not recorded; nil where there is none.
    package func forgottenAnchor(in folder: String) throws(OpeningError) -> String? {
        let known = try identifiers()
        return Path.names(in: folder)
            .first { $0.hasPrefix("anchor-") && !known.contains(String($0.dropFirst("anchor-".count))) }
            .map { "\(folder)/\($0)" }
    }

    /// Remembers a vault, or forgets it; everything else in the file stays, also what another process writes
    /// there at this moment.
    package func set(_ record: VaultRecord?, of key: String) throws(OpeningError) {
        try revise(key) { _ in record }
    }

    /// Changes what is remembered of a vault by an edit that cannot fail.
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

    /// Changes what is remembered of a vault, whatever that is by now.
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
            // What cannot be read is not taken for nothing.
            guard old != nil || present == .null else { throw unreadable }
            vaults[key] = try edit(old)?.tree
            tree["vaults"] = vaults
        }
    }

    /// Changes something about one vault, if it is still the recorded one: what another process wrote down since
    /// then stays, and so does the record of another vault.
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

    /// The same after an act that this is about: what keeps it from being written does not take the act back.
    ///
    /// - Returns: what kept it from being written; nil where it was, or where the vault is not the recorded one.
    package func remember(
        _ key: String,
        of vaultID: [UInt8],
        _ edit: (inout VaultRecord) -> Void
    ) -> OpeningError? {
        do throws(OpeningError) {
            // Nothing to remember is no reason to make a file of records.
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
    /// So a person who never wanted one is not asked for the vault by a command that needs none. The vault alone says
    /// whether it is on.
    package func remembersTexts(_ key: String) throws(OpeningError) -> Bool {
        try read()[Self.texts]?[key] == .bool(true)
    }

    /// Writes down what the vault said.
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
