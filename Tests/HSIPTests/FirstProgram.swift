import HSIP
import VaultCrypto

/// Two people pair, and nothing is stored, sent or asked: the codes, and the PeerID that each now knows.
func firstProgram(at now: UInt64) throws -> (codes: [String], known: [PeerID?]) {
    var alice = Book(identity: try .make(name: "Alice", entropy: .system, wallClock: now))
    var bob = Book(identity: try .make(name: "Bob", entropy: .system, wallClock: now))
    let offer = try alice.reduce(.offer(OfferRequest()), wallClock: now, entropy: .system)
    guard let offered = offer.code else { return ([], []) }
    // alice.touched names the records of this act; the code may be shown once they are durable.
    alice.clean()
    let answer = try bob.reduce(.take(offered, CodeOptions()), wallClock: now, entropy: .system)
    guard let answered = answer.code else { return ([], []) }
    bob.clean()
    let paired = try alice.reduce(.take(answered, CodeOptions()), wallClock: now, entropy: .system)
    alice.clean()
    return ([offered.text, answered.text], [answer.contact, paired.contact])
}
