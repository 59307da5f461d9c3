internal import AgentProtocol
internal import Secrets
internal import MessageBus
internal import VaultKit

/// Methods that open and lock.
extension Front {
    func unlock(_ call: BusMessage, _ client: Client) throws {
        try want(call, "ao")
        guard let paths = call.texts("o", limit: Self.maximumPaths) else { throw CallFailure.invalid }
        let objects = paths.compactMap { path in ObjectPath(path).map { (path: path, object: $0) } }
        let ids = Self.items(objects.compactMap { $0.object.resolved(vaultState.named) })
        guard !objects.isEmpty else {
            return bus.answer(call) { reply in
                reply.put(paths: [])
                reply.put(ObjectPath.none, "o")
            }
        }
        let (known, isKnown) = (vaultState, isKnown)
        work(call, for: client) { vault in
            let (seen, views) = try await vault.views(ids, isKnown: isKnown)
            let vaultState = seen ?? known
            let asked = views.filter { !$0.isOpen && !vaultState.isClosed($0.place.collection) }
            try await vault.requireQuestion(about: asked.map(\.place.id))
            return (seen, views)
        } _: { [self] seen, views in
            if let seen { saw(seen) }
            let found = Dictionary(views.map { ($0.place, $0.isOpen) }) { first, _ in first }
            var open: [String] = []
            var rest: [(path: String, object: ObjectPath)] = []
            for (path, object) in objects {
                switch isOpen(object, found, client) {
                case true?: open.append(path)
                case false?: rest.append((path, object))
                case nil: continue
                }
            }
            let prompt = try rest.isEmpty ? ObjectPath.none : unlockPrompt(rest, client)
            bus.answer(call) { reply in
                reply.put(paths: open)
                reply.put(prompt, "o")
            }
        }
    }

    /// A prompt that opens what is not open, by the paths as the client wrote them.
    private func unlockPrompt(
        _ wanted: [(path: String, object: ObjectPath)],
        _ client: Client
    ) throws -> String {
        try newPrompt(client, dismissed: .paths([])) { [unowned self] path in
            let named = vaultState.named
            return start(for: client, isCall: false) { vault in
                try await vault.unlock()
                let vaultState = try await vault.vaultState()
                let objects = wanted.compactMap { $0.object.resolved(named) }
                // Of an item its collection: programs look items up, and never name the collection that was closed.
                for id in Self.collections(objects) where vaultState.collection(id)?.isClosed == true {
                    _ = try await vault.service(Operations.openCollection, id)
                }
                let ids = Self.items(objects)
                let granted = ids.isEmpty ? [] : try await vault.service(Operations.itemGrant, ids)
                return (try await vault.vaultState(), granted)
            } _: { [unowned self] result in
                guard let (vaultState, granted) = try? result.get() else {
                    return complete(path, nil, client)
                }
                // Clients look whether it is locked as soon as the prompt is done.
                saw(vaultState)
                let found = Dictionary(granted.map { ($0, true) }) { first, _ in first }
                for place in granted where !vaultState.isClosed(place.collection) {
                    tell(["Locked": .bool(false)], of: place, to: client)
                }
                let open = wanted.filter { isOpen($0.object, found, client) == true }
                complete(path, open.isEmpty ? nil : .paths(open.map(\.path)), client)
            }
        }
    }

    /// Whether an object is open to a client; nil for one that is not there.
    private func isOpen(_ object: ObjectPath, _ found: [ItemPlace: Bool], _ client: Client) -> Bool? {
        switch object.resolved(vaultState.named) {
        case .collection(let id)?: vaultState.has(id) ? !vaultState.isClosed(id) : nil
        case .item(SessionCollection.id, let id)?:
            sessionItem(ItemPlace(collection: SessionCollection.id, id: id), of: client) != nil ? true : nil
        // Of a locked vault no one learns which items are there.
        case .item(let collection, let id)?:
            vaultState.isLocked ? false : found[ItemPlace(collection: collection, id: id)]
        default: nil
        }
    }

    private static func items(_ objects: [ObjectPath]) -> [String] {
        unique(objects.compactMap { if case .item(_, let id) = $0 { id } else { nil } })
    }

    private static func collections(_ objects: [ObjectPath]) -> [String] {
        unique(
            objects.compactMap { object in
                switch object {
                case .collection(let id), .item(let id, _): id
                default: nil
                }
            }
        )
    }

    func lock(_ call: BusMessage, _ client: Client) throws {
        try want(call, "ao")
        guard let paths = call.texts("o", limit: Self.maximumPaths) else { throw CallFailure.invalid }
        let named = paths.compactMap { path -> (path: String, id: String)? in
            switch ObjectPath(path)?.resolved(vaultState.named) {
            // What is kept for the session only is never locked.
            case .collection(let id)?, .item(let id, _)?:
                vaultState.has(id) && id != SessionCollection.id ? (path, id) : nil
            default: nil
            }
        }
        let ids = Self.unique(named.map(\.id))
        work(call, for: client) { vault in
            guard try await !vault.isLocked() else { return VaultState(isLocked: true, collections: []) }
            for id in ids where try await vault.service(Operations.closeCollection, id) {
                try await vault.lock()
            }
            return try await vault.vaultState()
        } _: { [self] vaultState in
            saw(vaultState)
            bus.answer(call) { reply in
                reply.put(paths: named.map(\.path))
                reply.put(ObjectPath.none, "o")
            }
        }
    }
}

extension AgentVault {
    /// Refuses at once what a rule refuses, what the person refused a short time ago, and what needs a person where none can
    /// be asked.
    func requireQuestion(about ids: [String]) async throws {
        guard !ids.isEmpty else { return }
        do {
            _ = try await unasked.service(Operations.itemGrant, ids)
        } catch AgentError.refused(let refusal) where refusal.name == "nobodyToAsk" {
            try await requirePerson(isLocked: false)
        }
    }
}
