internal import Secrets
internal import MessageBus
internal import VaultCrypto

/// Sessions: how values travel between a client and us.
extension Front {
    func openSession(_ call: BusMessage, _ client: Client) throws {
        try want(call, "sv")
        guard let algorithm = call.text() else { throw CallFailure.invalid }
        guard let known = SessionAlgorithm(rawValue: algorithm), allowsPlain || known != .plain else {
            throw CallFailure.notSupported
        }
        guard hasRoomForSession(client) else { throw CallFailure.tooMuch }
        let (session, output) = try Self.opened(known, try input(call))
        let path = ObjectPath.session(nextName("s")).text
        client.sessions[path] = session
        bus.answer(call) { reply in
            switch output {
            case .text(let text): reply.variant("s") { reply.put(text) }
            case .bytes(let bytes): reply.variant("ay") { bytes.withBytes { reply.put($0) } }
            }
            reply.put(path, "o")
        }
    }

    private static func opened(
        _ algorithm: SessionAlgorithm,
        _ input: SessionInput
    ) throws(ServiceError) -> (ServiceSession, SessionInput) {
        // No numbers are computed for those that need none.
        if algorithm == .plain, case .text = input { return (.plain, .text("")) }
        return try ServiceSession.open(algorithm.rawValue, input: input, pair: try SessionKeyPair())
    }

    private func input(_ call: BusMessage) throws -> SessionInput {
        switch call.nextVariant {
        case "s":
            guard call.enter("v", "s"), call.text() != nil else { throw CallFailure.invalid }
            // What it says does not matter, and is not kept.
            return .text("")
        case "ay":
            guard call.enter("v", "ay"),
                let value = call.bytes({ $0.byteCount <= ModularPower.size ? $0.copied() : [] }),
                !value.isEmpty
            else { throw CallFailure.invalid }
            return .bytes(value)
        default: throw CallFailure.invalid
        }
    }

    func session(_ call: BusMessage, _ member: String, _ path: String, _ client: Client) throws {
        guard member == "Close" else { throw unknown(member) }
        try want(call, "")
        guard client.sessions.removeValue(forKey: path) != nil else {
            let isOthers = clients.values.contains { $0.sessions[path] != nil }
            throw isOthers ? CallFailure.notYours : CallFailure.noSession
        }
        bus.answer(call)
    }

    /// The session of a client; another's counts as none.
    func session(_ path: String?, of client: Client) throws -> ServiceSession {
        guard let path, let session = client.sessions[path] else { throw CallFailure.noSession }
        return session
    }

    // MARK: Values

    /// Reads `(oayays)`, into locked memory, and opens it.
    func value(_ call: BusMessage, of client: Client) throws -> (value: Secret, type: String?) {
        call.markSensitive()
        guard call.enter("r", "oayays"), let path = call.text("o"),
            let parameters = call.bytes({ $0.byteCount <= 64 ? $0.copied() : nil }),
            let sealed = call.bytes(Self.copy)
        else { throw CallFailure.invalid }
        let session = try session(path, of: client)
        guard let parameters else { throw CallFailure.invalid }
        guard let sealed else { throw CallFailure.tooMuch }
        guard let type = call.text() else { throw CallFailure.invalid }
        guard type.utf8.count <= Self.longestType else { throw CallFailure.tooMuch }
        call.leave()
        let whole = SealedValue(parameters: parameters, value: try SecretBytes(copying: sealed))
        let opened = try session.open(whole)
        return (Secret(opened), type.isEmpty || type == "text/plain" ? nil : type)
    }

    private static func copy(_ span: RawSpan) -> Secret? {
        guard span.byteCount <= SealedValue.longest + SessionKey.blockSize else { return nil }
        do {
            return Secret(
                try SecretBytes(count: span.byteCount) { target in
                    unsafe span.withUnsafeBytes { source in
                        unsafe target.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
                    }
                }
            )
        } catch {
            return nil
        }
    }

    /// Writes `(oayays)`.
    func put(
        _ value: Secret,
        _ type: String?,
        _ path: String,
        _ session: ServiceSession,
        into reply: BusMessage
    ) throws {
        let sealed = try session.seal(value)
        reply.container("r", "oayays") {
            reply.put(path, "o")
            sealed.parameters.withBytes { reply.put($0) }
            sealed.value.withBytes { reply.put($0) }
            reply.put(type ?? "text/plain")
        }
    }
}
