internal import HSIP
internal import VaultCrypto

extension Cast {
    /// The event that a deed is; nil if the program has no word for it, or refuses the code unread.
    func event(
        for deed: Deed,
        by who: Int,
        _ vault: Vault,
        _ items: [ActsItem],
        limit: UInt16
    ) -> Event? {
        var request = OfferRequest(limit: limit)
        if vault.isOld {
            guard deed.isKnownToOld(items) else { return nil }
            request.suite = .one
        }
        switch deed {
        case .offer(let other), .offerAs(_, let other):
            request.contact = other.map { identities[$0].peerID }
            deed.option?.apply(to: &request)
            return .offer(request)
        case .next(let other), .nextAs(_, let other):
            deed.option?.apply(to: &request)
            return .nextCode(identities[other].peerID, request)
        case .send(let other):
            guard let text = try? Secret(copying: Array("hello".utf8)) else { return nil }
            return .send(identities[other].peerID, plaintext: text)
        case .take(let number):
            guard case .code(let code) = items[number] else { return nil }
            return .take(code, CodeOptions(reply: request))
        case .takeInPerson(let number):
            guard case .code(let code) = items[number] else { return nil }
            return .take(code, CodeOptions(isInPerson: true, reply: request))
        case .takeFaulty(let number, let fault):
            guard case .code(let code) = items[number],
                let book = try? vault.disk.book(of: identities[who], wallClock: vault.clock),
                let faulty = faulty(code, fault, by: who, book)
            else { return nil }
            return .take(faulty, CodeOptions(reply: request))
        case .set(let suite, let other): return .setSuite(identities[other].peerID, suite)
        case .compare(let other): return .matched(identities[other].peerID, .emoji)
        case .read(let number):
            guard case .message(let envelope, _, _) = items[number] else { return nil }
            return .read(envelope, ReadRequest())
        case .revoke(let other): return .revokeSessions(identities[other].peerID, .ended)
        case .show, .renounce, .backup, .restore, .clock, .update: return nil
        }
    }
}
