internal import Files
internal import Glibc
internal import Secrets
internal import System
internal import Text
internal import VaultKit

/// Which collections a vault had when it was last open, so that they are known while it is locked: a file beside its anchor,
/// `collections-<vault id>`.
///
/// Ids, labels and the alias `default` are in it, and nothing of items. What is in it opens nothing, and is put right by the
/// next opening.
package struct CollectionsFile {
    /// Collections in it: those that a vault may have, and `login`.
    private static let maximum = 65
    private static let format = 1

    private let folder: String
    /// The vault that is recorded under the name that is served; nil where none is.
    private let vaultID: String?

    /// - Parameters:
    ///   - folder: Where the anchor of the vault lies.
    ///   - vaultID: Which vault is to be served, in hexadecimal digits, as far as that is known before it is opened.
    package init(folder: String, vaultID: String?) { (self.folder, self.vaultID) = (folder, vaultID) }

    private func path(_ vaultID: String) -> String { "\(folder)/collections-\(vaultID)" }

    /// What was last written down of the vault that is to be served; nothing for a file that is none of ours, or not whole.
    func read() -> [CollectionView] {
        vaultID.flatMap { present($0) }.flatMap { Self.views($0, of: vaultID) } ?? []
    }

    /// Writes down what there is now, where that is something else: whole, for this user alone.
    ///
    /// A folder that cannot be written is no failure: only a later start knows less.
    func keep(_ collections: [CollectionView], of vaultID: String) {
        guard let text = Self.text(collections, of: vaultID), text != present(vaultID) else { return }
        _ = try? OwnFile.writeKept(text, to: path(vaultID))
    }

    /// The bytes of a file that no one but this user could have written.
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

    /// Nil for anything but what `text` makes of this very vault.
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
