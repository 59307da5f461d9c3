internal import MessageBus
internal import ServiceFormats
internal import VaultKit

/// Methods that open and lock, and the prompts that lead to the agent's questions.
extension Front {
    func unlock(_ call: BusMessage, _ client: Client) throws {
        try want(call, "ao")
        guard let paths = call.texts("o", limit: Self.maximumPaths) else { throw CallFailure.invalid }
        let objects = paths.compactMap { path in ObjectPath(path).map { (path: path, object: $0) } }
        let ids = Self.items(objects.compactMap { $0.object.resolved(glance.named) })
        guard !objects.isEmpty else {
            return bus.answer(call) { reply in
                reply.put(paths: [])
                reply.put(ObjectPath.none, "o")
            }
        }
        work(call, for: client) { vault in
            let glance = try await vault.glance()
            return (glance, glance.isLocked || ids.isEmpty ? [] : try await vault.service.itemViews(ids))
        } _: { [self] glance, views in
            saw(glance)
            let found = Dictionary(views.map { ($0.place, $0.isOpen) }) { first, _ in first }
            var open: [String] = []
            var rest: [(path: String, object: ObjectPath)] = []
            for (path, object) in objects {
                switch isOpen(object, found) {
                case true?: open.append(path)
                case false?: rest.append((path, object))
                case nil: continue
                }
            }
            let prompt = try rest.isEmpty ? ObjectPath.none : newPrompt(.unlock(rest), client)
            bus.answer(call) { reply in
                reply.put(paths: open)
                reply.put(prompt, "o")
            }
        }
    }

    /// Whether an object is open to a client; nil for one that is not there.
    private func isOpen(_ object: ObjectPath, _ found: [ItemPlace: Bool]) -> Bool? {
        switch object.resolved(glance.named) {
        case .collection(let id)?: glance.has(id) ? !glance.isClosed(id) : nil
        // Of a locked vault no one learns which items are there.
        case .item(let collection, let id)?:
            glance.isLocked ? false : found[ItemPlace(collection: collection, id: id)]
        default: nil
        }
    }

    private static func items(_ objects: [ObjectPath]) -> [String] {
        unique(objects.compactMap { if case .item(_, let id) = $0 { id } else { nil } })
    }

    func lock(_ call: BusMessage, _ client: Client) throws {
        try want(call, "ao")
        guard let paths = call.texts("o", limit: Self.maximumPaths) else { throw CallFailure.invalid }
        let named = paths.compactMap { path -> (path: String, id: String)? in
            switch ObjectPath(path)?.resolved(glance.named) {
            case .collection(let id)?, .item(let id, _)?: glance.has(id) ? (path, id) : nil
            default: nil
            }
        }
        let ids = Self.unique(named.map(\.id))
        work(call, for: client) { vault in
            guard try await !vault.isLocked() else { return Glance(isLocked: true, collections: []) }
            for id in ids where try await vault.service.closeItemCollection(id) { try await vault.lock() }
            return try await vault.glance()
        } _: { [self] glance in
            saw(glance)
            bus.answer(call) { reply in
                reply.put(paths: named.map(\.path))
                reply.put(ObjectPath.none, "o")
            }
        }
    }

    // MARK: Prompts

    /// Makes a prompt for a client.
    private func newPrompt(_ wish: Prompt.Wish, _ client: Client) throws -> String {
        guard client.prompts.count < Client.prompts,
            clients.values.reduce(0, { $0 + $1.prompts.count }) < Self.maximumPrompts
        else { throw CallFailure.tooMuch }
        let path = ObjectPath.prompt(nextName("p")).text
        client.prompts[path] = Prompt(wish)
        return path
    }

    func prompt(_ call: BusMessage, _ member: String, _ path: String, _ client: Client) throws {
        guard let prompt = client.prompts[path] else {
            let isOthers = clients.values.contains { $0.prompts[path] != nil }
            throw isOthers ? CallFailure.notYours : CallFailure.noSuchObject
        }
        switch member {
        case "Prompt":
            try want(call, "s")
            bus.answer(call)
            guard !prompt.isShown else { return }
            prompt.isShown = true
            show(prompt, path, client)
        case "Dismiss":
            try want(call, "")
            bus.answer(call)
            if let task = prompt.task { client.tasks[task]?.cancel() }
            complete(path, [], isDismissed: true, client)
        default: throw unknown(member)
        }
    }

    private func show(_ prompt: Prompt, _ path: String, _ client: Client) {
        guard case .unlock(let wanted) = prompt.wish else { return }
        let named = glance.named
        prompt.task = start(for: client) { vault in
            try await vault.unlock()
            let glance = try await vault.glance()
            let objects = wanted.compactMap { $0.object.resolved(named) }
            for case .collection(let id) in objects where glance.collection(id)?.isClosed == true {
                try await vault.service.openItemCollection(id)
            }
            let ids = Self.items(objects)
            let granted = ids.isEmpty ? [] : try await vault.service.grantedItems(ids)
            return (try await vault.glance(), granted)
        } _: { [self] result in
            guard let (glance, granted) = try? result.get() else {
                return complete(path, [], isDismissed: true, client)
            }
            // Clients look whether it is locked as soon as the prompt is done.
            saw(glance)
            let found = Dictionary(granted.map { ($0, true) }) { first, _ in first }
            let open = wanted.filter { isOpen($0.object, found) == true }
            complete(path, open.map(\.path), isDismissed: open.isEmpty, client)
        }
        if prompt.task == nil { complete(path, [], isDismissed: true, client) }
    }

    /// Tells the client how its prompt ended; the second time does nothing.
    private func complete(_ path: String, _ paths: [String], isDismissed: Bool, _ client: Client) {
        guard client.prompts.removeValue(forKey: path) != nil,
            let signal = BusMessage(signalOf: bus, path, Interface.prompt, "Completed", to: client.name)
        else { return }
        signal.put(isDismissed)
        signal.variant("ao") { signal.put(paths: paths) }
        bus.send(signal)
    }
}
