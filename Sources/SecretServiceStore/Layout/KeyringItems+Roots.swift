internal import RecordStore
internal import VaultCrypto

/// A root, with the path and the text of its item.
struct FoundRoot: Sendable {
    let path: ItemPath
    let text: Secret
    let root: Root
}

extension KeyringItems {
    /// The root of the vault.
    ///
    /// - Parameters:
    ///   - known: The root found before; it is not decoded again if its item is unchanged.
    ///   - marks: The marks of the newest positions seen on this machine.
    /// - Returns: `known` itself, or the present content of the item.
    /// - Throws: `notFound`; `tampered(.head)` if the root is incomplete, or not the only one; `newerFormat`.
    func root(_ known: FoundRoot? = nil, marks: [[UInt8]] = []) throws(StoreError) -> FoundRoot {
        if let known, try holds(known.text, at: known.path) { return known }
        return try Self.root(in: paths(query(ItemNames.rootSchema)), service, vaultID, marks: marks)
    }

    /// The root that counts among these items; an invalid root beside a valid root is another program's item.
    static func root(
        in paths: [ItemPath],
        _ service: any ItemService,
        _ vaultID: [UInt8],
        marks: [[UInt8]] = []
    ) throws(StoreError) -> FoundRoot {
        let (found, isOdd) = try roots(in: paths, service, vaultID)
        guard let root = found.first else { throw isOdd ? .tampered(.head) : .notFound }
        return found.count == 1 ? root : try counting(found, marks)
    }

    /// Chooses the valid root among several: any program can add an item with a present or former text of the root.
    ///
    /// The newest root is valid. Among roots at one position, the root with a mark seen on this machine is valid. Among items
    /// with equal text, the first item is valid.
    ///
    /// - Throws: `tampered(.head)` if different roots remain.
    private static func counting(_ found: [FoundRoot], _ marks: [[UInt8]]) throws(StoreError) -> FoundRoot {
        var roots = found
        let newest = roots.map(\.root.position).max()
        roots.removeAll { $0.root.position != newest }
        if let mark = marks.first(where: { mark in roots.contains { $0.root.mark == mark } }) {
            roots.removeAll { $0.root.mark != mark }
        }
        // A service numbers its items, so the shorter of two paths is of the earlier one.
        let first = roots.min { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
        guard let first, roots.allSatisfy({ ConstantTime.equal($0.text, first.text) }) else {
            throw .tampered(.head)
        }
        return first
    }

    /// Every valid root among these items, and whether another root is damaged.
    static func roots(
        in paths: [ItemPath],
        _ service: any ItemService,
        _ vaultID: [UInt8]
    ) throws(StoreError) -> (whole: [FoundRoot], isOdd: Bool) {
        var found: [FoundRoot] = []
        var isOdd = false
        try eachSecret(of: paths, service, vaultID) { path, secret throws(StoreError) in
            // An item without a secret was never finished.
            guard secret.byteCount > 0 else { return }
            if let root = try Root(secret), root.vaultID == vaultID {
                found.append(FoundRoot(path: path, text: try Secret(lent: secret), root: root))
            } else {
                isOdd = true
            }
        }
        return (found, isOdd)
    }

    /// Makes the item of a root, with which the vault begins to exist.
    func make(_ root: Root, named name: String) throws(StoreError) -> FoundRoot {
        var attributes = query(ItemNames.rootSchema)
        attributes[ItemNames.name] = name
        let found = try readable(root, at: "")
        let draft = ItemDraft(label: "HSIP vault \(name)", attributes: attributes, secret: found.text)
        let path = try service.create(draft, in: collection)
        guard try holds(found.text, at: path) else { throw .commitUnknown }
        return FoundRoot(path: path, text: found.text, root: found.root)
    }

    /// Replaces the root: before this call the old state counts, after it the new one.
    ///
    /// When the call fails, the root is read again: the service handles its calls in their order, so it has done a
    /// call that it did not answer in time before it answers this one.
    ///
    /// - Throws: The errors of the service if nothing has changed; `commitUnknown` if that is unknown.
    /// - Returns: The root, and whether the call was answered.
    func replace(_ path: ItemPath, with root: Root) throws(StoreError) -> (found: FoundRoot, isAnswered: Bool)
    {
        let found = try readable(root, at: path)
        do throws(StoreError) {
            try service.setSecret(found.text, of: path)
        } catch {
            // The service said itself that it did nothing; it is unlocked and asked again.
            if error == .keyringLocked { throw error }
            guard let isThere = try? holds(found.text, at: path) else { throw .commitUnknown }
            guard !isThere else { return (found, false) }
            // A program that knows no locks removed the item in between.
            throw error == .notFound ? .conflict : error
        }
        guard (try? holds(found.text, at: path)) == true else { throw .commitUnknown }
        return (found, true)
    }

    /// Encodes a root and decodes it again, so that an unreadable root is never written.
    ///
    /// - Throws: `tampered(.head)` if the text cannot be decoded.
    private func readable(_ root: Root, at path: ItemPath) throws(StoreError) -> FoundRoot {
        let text = try root.text()
        let again = try text.withBytes { bytes throws(StoreError) in try Root(bytes) }
        guard let again else { throw .tampered(.head) }
        return FoundRoot(path: path, text: text, root: again)
    }
}
