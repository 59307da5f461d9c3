/// The sessions of one connection to an agent, in order: from this machine over hosts to the destination of a login.
///
/// The rules are OpenSSH's. After a binding for a login no other follows, a session has one key, and after a failed
/// binding the origin of the connection is unknown.
public struct SessionBindings: Sendable {
    /// The reason why a binding is refused.
    public enum Refusal: Error, Hashable, Sendable {
        /// The host's signature is invalid or of an unknown kind.
        case unproven
        /// The connection is already bound for a login.
        case isForLogin
        /// The session is bound to another key.
        case otherKey
        /// The connection has too many bindings.
        case tooMany
    }

    /// The largest number of sessions of one connection.
    public static let maximum = 16

    /// The valid bindings.
    public private(set) var all: [SessionBind] = []
    /// Whether a binding was refused.
    public private(set) var hasFailed = false

    /// Creates an empty list: the connection seems to come from a program on this machine.
    public init() {}

    /// Adds a binding.
    public mutating func add(_ bind: SessionBind) throws(Refusal) {
        do throws(Refusal) {
            try check(bind)
        } catch {
            hasFailed = true
            throw error
        }
    }

    /// Records a binding that could not be read.
    public mutating func fail() { hasFailed = true }

    /// The last host of the connection.
    public var last: SessionBind? { all.last }

    /// Whether the requests come from another machine, or could.
    public var isForwarded: Bool { hasFailed || all.contains(where: \.isForwarding) }

    private mutating func check(_ bind: SessionBind) throws(Refusal) {
        guard (try? bind.verify()) != nil else { throw .unproven }
        for other in all {
            guard other.isForwarding else { throw .isForLogin }
            guard other.sessionID == bind.sessionID else { continue }
            guard other.hostKey.isSameKey(as: bind.hostKey) else { throw .otherKey }
            return
        }
        guard all.count < Self.maximum else { throw .tooMany }
        all.append(bind)
    }
}

extension SessionBindings {
    /// Whether a key with these constraints may be listed on the connection; `time` is a Unix time in seconds.
    ///
    /// A key that may log in at the last host, but no further, is not listed there.
    public func shows(_ constraints: [DestinationConstraint]?, at time: UInt64) -> Bool {
        guard let constraints else { return true }
        guard !all.isEmpty else { return !hasFailed }
        guard follows(constraints, as: nil, at: time) else { return false }
        guard let last, last.isForwarding else { return true }
        return constraints.contains { $0.leads(from: last.hostKey, to: nil, as: nil, at: time) }
    }

    /// Whether a key with these constraints may sign some data on the connection.
    public func permits(
        _ constraints: [DestinationConstraint]?,
        signing data: SignedData,
        at time: UInt64
    ) -> Bool {
        guard let constraints else { return true }
        guard !hasFailed || !all.isEmpty, case .login(let login) = data, isLast(login) else { return false }
        guard all.count == 1 || login.hostKey != nil else { return false }
        return follows(constraints, as: login.user, at: time)
    }

    /// Whether a login belongs to the last bound session and its host.
    public func isLast(_ login: SignedData.Login) -> Bool {
        guard let last, login.sessionID == last.sessionID else { return false }
        return login.hostKey?.isSameKey(as: last.hostKey) ?? true
    }

    private func follows(
        _ constraints: [DestinationConstraint],
        as user: [UInt8]?,
        at time: UInt64
    ) -> Bool {
        var from: PublicKey?
        for (index, bind) in all.enumerated() {
            let isLast = index == all.count - 1
            if isLast ? bind.isForwarding && user != nil : !bind.isForwarding { return false }
            let user = isLast ? user : nil
            guard constraints.contains(where: { $0.leads(from: from, to: bind.hostKey, as: user, at: time) })
            else { return false }
            from = bind.hostKey
        }
        return true
    }
}

/// The binding of a connection to a session with a host, which ssh sends first.
///
/// The host signed the session's identifier with its key, so that its identity is proven.
public struct SessionBind: Hashable, Sendable {
    /// The length of the longest session identifier in bytes.
    public static let longestSession = 128

    /// The host key, or a certificate.
    public let hostKey: PublicKey
    /// The identifier of the session.
    public let sessionID: [UInt8]
    /// The host's signature of the identifier, in wire format.
    public let signature: [UInt8]
    /// Whether the connection is forwarded to programs on that host, instead of a login to it.
    public let isForwarding: Bool

    /// Creates a binding without validation.
    public init(hostKey: PublicKey, sessionID: [UInt8], signature: [UInt8], isForwarding: Bool) {
        self.hostKey = hostKey
        self.sessionID = sessionID
        self.signature = signature
        self.isForwarding = isForwarding
    }

    init(from reader: inout WireReader) throws(SSHFormatError) {
        hostKey = try PublicKey(blob: try reader.string())
        sessionID = try reader.string(limit: Self.longestSession)
        signature = try reader.string(limit: SSHSignature.longest)
        isForwarding = try reader.byte() != 0
    }

    /// Verifies the host's signature.
    ///
    /// - Throws: the errors of `SSHSignature` and `PublicKey.verify`.
    public func verify() throws(SSHFormatError) {
        try hostKey.verify(try SSHSignature(wire: signature), message: sessionID)
    }
}
