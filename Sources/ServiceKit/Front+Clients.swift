internal import MessageBus

/// Who the clients are: each is known before its first call is served, and forgotten when its connection ends.
extension Front {
    /// Clients that are known at a time.
    private static let maximumClients = 512

    func admit(_ call: BusMessage) {
        guard let sender = call.sender, sender != own.name else { return }
        if let client = clients[sender] {
            switch client.standing {
            case .known: serve(call, client)
            case .refused: refuse(call, CallFailure.denied)
            case .asked(let calls):
                guard calls.count < Client.calls else { return refuse(call, CallFailure.tooMuch) }
                client.standing = .asked(calls + [call])
            }
            return
        }
        makeRoom()
        guard clients.count < Self.maximumClients,
            let question = BusMessage(
                to: bus,
                Bus.daemon,
                Bus.daemonPath,
                Bus.daemon,
                "GetConnectionCredentials"
            )
        else { return refuse(call, CallFailure.tooMuch) }
        question.put(sender)
        guard let number = bus.begin(question) else { return refuse(call, CallFailure.tooMuch) }
        let client = Client(sender)
        client.standing = .asked([call])
        clients[sender] = client
        asked[number] = sender
    }

    func identify(_ name: String, _ answer: BusMessage) {
        guard let client = clients[name], case .asked(let calls) = client.standing else { return }
        if let behalf = Credentials.behalf(answer, of: name) {
            client.standing = .known(behalf)
            for call in calls { serve(call, client) }
        } else {
            client.standing = .refused
            for call in calls { refuse(call, CallFailure.denied) }
        }
    }

    /// A client has gone: its sessions are wiped, and what the agent does for it ends.
    func forget(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        for path in client.prompts.keys { deadlines.remove(path) }
        for work in client.queue { pending[work.number] = nil }
        client.end()
    }

    /// Forgets clients that have nothing here, where too many are known: each may come again.
    ///
    /// Those that are to be told of what they read stay, as long as there are others.
    private func makeRoom() {
        for isWatching in [false, true] where clients.count >= Self.maximumClients {
            for client in clients.values where client.isIdle && client.isWatching == isWatching {
                clients[client.name] = nil
            }
        }
    }
}
