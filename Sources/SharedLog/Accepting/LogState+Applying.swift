internal import VaultCrypto

extension LogState {
    /// Applies the operations of one whole change; names are judged behind the last of them, so they may be exchanged.
    ///
    /// - Parameters:
    ///   - operations: what the author says, in this order.
    ///   - author: a member that may write.
    ///   - place: of the entry that makes the change whole.
    /// - Throws: `notAllowed`, `badSignature`, `nameTaken`, `lastKeeper`, `logTampered`, `logTooLarge`.
    mutating func apply(
        _ operations: [LogOperation],
        by author: MachineID,
        at place: UInt64
    ) throws(LogError) {
        for operation in operations {
            guard case .remove = operation else { continue }
            guard operations.count == 1 else { throw LogError(.notAllowed) }
        }
        for operation in operations { try apply(operation, by: author, at: place) }
        try check()
        settle()
    }

    private mutating func apply(
        _ operation: LogOperation,
        by author: MachineID,
        at place: UInt64
    ) throws(LogError) {
        guard let writer = members[author], writer.role.writes else { throw LogError(.notAllowed) }
        switch operation {
        case .put(let object):
            let line = Line(
                kind: object.kind,
                name: object.name,
                place: place,
                digest: try object.digest()
            )
            set(line, for: object.id)
        case .delete(let id):
            guard self[id] != nil else { throw LogError(.logTampered) }
            set(nil, for: id)
        case .add(let new): try admit(new, by: writer, at: place)
        case .role(let id, let role, let certificate):
            guard writer.role == .keeper, role.isGiven, let member = members[id], member.role != .left else {
                throw LogError(.notAllowed)
            }
            try require(certificate, for: member.signKey, role, by: writer)
            if role != .keeper { remember(member) }
            change(id) { ($0.role, $0.adder, $0.certificate) = (role, author, certificate) }
        case .rename(let id, let name):
            guard members[id] != nil, id == author || writer.role == .keeper else {
                throw LogError(.notAllowed)
            }
            change(id) { $0.name = name }
        case .remove(let id, _):
            guard writer.role == .keeper, id != author, let member = members[id] else {
                throw LogError(.notAllowed)
            }
            remember(member)
            remove(id)
        case .renew(let key): change(author) { $0.boxKey = key }
        case .leave:
            remember(writer)
            change(author) { $0.role = .left }
        }
    }

    private mutating func admit(
        _ new: LogOperation.Admission,
        by keeper: Member,
        at place: UInt64
    ) throws(LogError) {
        let member = Member(
            signKey: new.signKey,
            boxKey: new.boxKey,
            role: new.role,
            joined: place,
            adder: keeper.id,
            certificate: new.certificate,
            name: new.name
        )
        guard keeper.role == .keeper, new.role.isGiven, members[member.id] == nil, former[member.id] == nil
        else { throw LogError(.notAllowed) }
        try require(new.certificate, for: new.signKey, new.role, by: keeper)
        load(member)
    }

    /// A keeper that is one no more stays known by its certificate.
    private mutating func remember(_ member: Member) {
        if member.role == .keeper { load(FormerKeeper(member)) }
    }

    private func require(
        _ certificate: [UInt8],
        for signKey: [UInt8],
        _ role: MachineRole,
        by keeper: Member
    ) throws(LogError) {
        guard Certificate.isValid(certificate, for: signKey, role, log: log, by: keeper.signKey) else {
            throw LogError(.badSignature)
        }
    }
}
