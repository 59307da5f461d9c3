internal import Files
internal import Glibc
internal import Secrets
internal import System
internal import Text
internal import VaultKit

/// The file `collections-<vault id>` beside a vault's anchor, which lists the vault's collections while it is locked.
///
/// The file has the ids, the labels and the alias `default` of the last time when the vault was open. It has no facts
/// about items. Its contents open nothing, and the next opening of the vault corrects them.
package struct CollectionsFile {
    /// The most collections in the file: as many as a vault may have, and `login`.
    private static let maximum = 65
    private static let format = 1

    private let folder: String
    /// The vault that is recorded under the served name; nil if no vault is.
    private let vaultID: String?

    /// Prepares to use the file; reads nothing yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the vault's anchor.
    ///   - vaultID: The id of the vault to serve, in hexadecimal digits; nil if it is not known before the vault is opened.
    package init(folder: String, vaultID: String?) { (self.folder, self.vaultID) = (folder, vaultID) }

    private func path(_ vaultID: String) -> String { "\(folder)/collections-\(vaultID)" }

    /// The collections that the file has for the served vault; empty if the file is not ours or is incomplete.
    func read() -> [CollectionView] {
        vaultID.flatMap { present($0) }.flatMap { Self.views($0, of: vaultID) } ?? []
    }

    /// Writes the collections to the file if they have changed: completely, and readable by this user only.
    ///
    /// If the folder cannot be written, this does not fail: only a later start knows less.
    func keep(_ collections: [CollectionView], of vaultID: String) {
        guard let text = Self.text(collections, of: vaultID), text != present(vaultID) else { return }
        _ = try? OwnFile.writeKept(text, to: path(vaultID))
    }

    /// The bytes of the file; nil if anyone but this user could have written it.
    private func present(_ vaultID: String) -> [UInt8]? {
        guard let file = try? OpenFile(path(vaultID), O_RDONLY), let facts = try? file.facts(),
            facts.isOwn, !facts.isShared
        else { return nil }
        return try? file.contents(limit: OwnFile.textLimit)
    }

    private static func text(_ collections: [CollectionView], of vaultID: String) -> [UInt8]? {
        let list = collections.sorted { $0.id < $1.id }.map { view -> JSONValue in
            var json: JSONValue = ["id": .text(view.id), "label": .text(view.label)]
            if view.isDefault { json["default"] = .bool(true) }
            return json
        }
        let json: JSONValue = [
            "format": .integer(Int64(format)), "vault": .text(vaultID), "collections": .list(list),
        ]
        return try? json.bytes(.pages)
    }

    /// The collections in a text; nil unless `text` could have made it for this vault.
    static func views(_ text: [UInt8], of vaultID: String?) -> [CollectionView]? {
        guard let json = try? JSONValue(text, JSONLimits(depth: 4, values: 1_000)),
            json["format"]?.integer == format, let vaultID, json["vault"]?.text == vaultID,
            case .list(let list)? = json["collections"], list.count <= maximum
        else { return nil }
        let views = list.compactMap(view)
        guard views.count == list.count, Set(views.map(\.id)).count == views.count,
            views.contains(where: { $0.id == VaultState.login }), views.count(where: \.isDefault) == 1
        else { return nil }
        return views
    }

    private static func view(_ json: JSONValue) -> CollectionView? {
        guard let id = json["id"]?.text, CollectionRecord.isID(id), id != SessionCollection.id,
            let label = json["label"]?.text, label.utf8.count <= Properties.longestLabel
        else { return nil }
        let isDefault: Bool
        switch json["default"] {
        case nil: isDefault = false
        case .bool(let truth)?: isDefault = truth
        default: return nil
        }
        return CollectionView(id: id, label: label, isDefault: isDefault)
    }
}
