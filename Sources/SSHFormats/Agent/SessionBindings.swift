/// The sessions that one connection to an agent serves, first to last: from here over hosts to where a login goes.
///
/// The rules are OpenSSH's: what was bound for a login binds nothing more, one session has one key, and one bind
/// that failed makes the connection one of unknown origin.
public struct SessionBindings: Sendable {
    /// Why a bind is refused.
    public enum Refusal: Error, Hashable, Sendable {
        /// The host has not signed it, or in a way that is not known here.
        case unproven
        /// The connection is bound for a login already.
        case isForLogin
        /// The session is bound to another key.
        case otherKey
        /// There are too many.
        case tooMany
    }

    /// Most sessions of one connection.
    public static let maximum = 16

    /// Those that are good.
    public private(set) var all: [SessionBind] = []
    /// Whether one was refused.
    public private(set) var hasFailed = false

    /// No session: a program on this machine, as far as anybody knows.
    public init() {}

    /// Takes one more.
    public mutating func add(_ bind: SessionBind) throws(Refusal) {
        do throws(Refusal) {
            try check(bind)
        } catch {
            hasFailed = true
            throw error
        }
    }

    /// One came that could not be read.
    public mutating func fail() { hasFailed = true }

    /// Where the connection leads last.
    public var last: SessionBind? { all.last }

    /// Whether what is asked comes from another machine, or may do so.
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
    /// Whether a key with these constraints may be seen over the connection; `time` is Unix seconds.
    ///
    /// A key that is good for a login at the last host and for nothing beyond it is not shown there.
    public func shows(_ constraints: [DestinationConstraint]?, at time: UInt64) -> Bool {
        guard let constraints else { return true }
        guard !all.isEmpty else { return !hasFailed }
        guard follows(constraints, as: nil, at: time) else { return false }
        guard let last, last.isForwarding else { return true }
        return constraints.contains { $0.leads(from: last.hostKey, to: nil, as: nil, at: time) }
    }

    /// Whether a key with these constraints may sign some data over the connection.
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

    /// Whether a login is for the session that was bound last, and for its host.
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

/// What ssh says first on a connection to an agent: this is for that session with that host.
///
/// The host signed the session's identifier with its key, so the host is proven and not only named.
public struct SessionBind: Hashable, Sendable {
    /// Bytes in the longest identifier of a session.
    public static let longestSession = 128

    /// The key of the host, which may be a certificate.
    public let hostKey: PublicKey
    /// The identifier of the session.
    public let sessionID: [UInt8]
    /// The host's signature of it, on the wire.
    public let signature: [UInt8]
    /// Whether the connection will serve programs on that host, instead of a login to it.
    public let isForwarding: Bool

    /// The parts of a bind; nothing is checked.
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

    /// Refuses a bind that the host has not signed.
    ///
    /// - Throws: what `SSHSignature` refuses and `PublicKey.verify` throws.
    public func verify() throws(SSHFormatError) {
        try hostKey.verify(try SSHSignature(wire: signature), message: sessionID)
    }
}
