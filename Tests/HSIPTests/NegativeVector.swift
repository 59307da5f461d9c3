import Foundation
import Synchronization
import Testing
import VaultCrypto

@testable import HSIP

/// One case of Schemas/vectors/negative-hsip-xc1.json: what comes in, under which circumstances, and how it is
/// refused.
struct NegativeVector: Sendable, CustomTestStringConvertible {
    /// Everything that the decision needs; which fields there are depends on the act.
    struct Context: Decodable, Sendable {
        let act: String
        let now: UInt64?
        let own_seed, own_ephemeral, own_kem_random: String?
        let offer, offer_secret, offer_kem_seed, first_answer: String?
        let pinned, rotate_kem_seed: String?
        let lowest_suite, epoch_suite: Suite?
        let epoch: UInt32?
        let ref, rotate_key, chain, author, rotate, rotate_secret: String?
        let author_role: UInt8?
        let contact, own, own_peerid, contact_peerid, receive_key: String?
    }

    private struct Case: Decodable {
        let name, code, error: String
        let context: Context
    }

    private struct Sweep: Decodable {
        enum Item: Decodable {
            case number(Int)
            case text(String)

            init(from decoder: any Decoder) throws {
                let box = try decoder.singleValueContainer()
                self =
                    if let number = try? box.decode(Int.self) { .number(number) } else {
                        .text(try box.decode(String.self))
                    }
            }
        }

        let name, change, base: String
        let xor: UInt8?
        let context: Context
        let errors: [[Item]]
    }

    private struct File: Decodable {
        let cases: [Case]
        let sweeps: [Sweep]
    }

    private struct SuiteTwoFile: Decodable {
        let negative: [Case]
        let sweeps: [Sweep]
    }

    let testDescription: String
    /// The codes with the name of the refusal of each; one, but for a sweep.
    let items: [(code: String, error: String)]
    let context: Context

    /// Every case and sweep of both suites.
    static let all: [NegativeVector] = {
        do {
            let file = try read(File.self, "negative-hsip-xc1.json")
            let suiteTwo = try read(SuiteTwoFile.self, "suite02.json")
            return try vectors(file.cases, file.sweeps)
                + vectors(suiteTwo.negative, suiteTwo.sweeps)
        } catch {
            return []
        }
    }()

    private static func read<File: Decodable>(_ type: File.Type, _ name: String) throws -> File {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Schemas/vectors/" + name).standardized
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }

    private static func vectors(_ cases: [Case], _ sweeps: [Sweep]) throws -> [NegativeVector] {
        try cases.map {
            NegativeVector(testDescription: $0.name, items: [($0.code, $0.error)], context: $0.context)
        } + sweeps.map(expand)
    }

    private static func expand(_ sweep: Sweep) throws -> NegativeVector {
        let base = Hex.decode(sweep.base) ?? []
        let code = try ExchangeCode(bytes: base)
        var items: [(String, String)] = []
        for line in sweep.errors {
            guard line.count == 3, case .number(let first) = line[0], case .number(let last) = line[1],
                case .text(let error) = line[2]
            else { continue }
            for place in first...last {
                if let xor = sweep.xor {
                    var bytes = base
                    bytes[place] ^= xor
                    items.append((Bech32m.codeText(bytes, kind: code.kind), error))
                } else {
                    items.append((String(code.text.prefix(place)), error))
                }
            }
        }
        return NegativeVector(testDescription: sweep.name, items: items, context: sweep.context)
    }
}

extension NegativeVector.Context {
    /// Bytes of a field that this act must have.
    func bytes(_ field: KeyPath<Self, String?>) throws -> [UInt8] {
        try #require(self[keyPath: field].flatMap { Hex.decode($0) })
    }

    /// A secret of a field that this act must have.
    func secret(_ field: KeyPath<Self, String?>) throws -> Secret { try Secret(copying: try bytes(field)) }

    /// The person who takes the code; someone else where no one is named.
    func identity() throws -> Identity {
        let seed = try Secret(
            copying: try own_seed == nil ? [UInt8](repeating: 1, count: 32) : bytes(\.own_seed)
        )
        let key = try Signing.publicKey(seed: seed)
        return try Identity(
            seed: seed,
            publicKey: key,
            name: "",
            created: 0,
            revocation: try RevokeCode.ofIdentity(key, seed: seed, reason: .none, issued: 0)
        )
    }

    /// The secret of the one-time key, and what ML-KEM draws after it.
    func entropy() throws -> Entropy {
        guard own_ephemeral != nil else { return .seeded([1]) }
        let key = try bytes(\.own_ephemeral)
        let random = try own_kem_random == nil ? key : bytes(\.own_kem_random)
        let drawn = Mutex(0)
        return Entropy { _ in
            drawn.withLock { count in
                count += 1
                return count == 1 ? key : random
            }
        }
    }

    /// The book that the context describes: nothing, an offer, or one confirmed pairing.
    func book() throws -> Book {
        switch act {
        case "takeAnswer":
            Book(identity: try identity(), contacts: try givenContacts(), offers: [try givenOffer()])
        case "takeRotate", "takeAccept", "takeRevoke": try pairedBook()
        default: Book(identity: try identity(), contacts: try givenContacts())
        }
    }

    private func givenContacts() throws -> [Contact] {
        guard pinned != nil else { return [] }
        let key = try bytes(\.pinned)
        var contact = Contact(
            peerID: try PeerID(publicKey: key),
            identityKey: key,
            sentName: "",
            alias: "somebody"
        )
        if lowest_suite == .two { contact.suiteRule = .onlyTwo }
        return [contact]
    }

    private func oneTime(
        _ secret: KeyPath<Self, String?>,
        _ seed: KeyPath<Self, String?>
    ) throws -> OneTimeSecret {
        OneTimeSecret(
            x25519: try self.secret(secret),
            kemSeed: try self[keyPath: seed] == nil ? nil : self.secret(seed)
        )
    }

    private func givenOffer() throws -> Offer {
        let code = try OfferCode(bytes: try bytes(\.offer))
        guard first_answer != nil else {
            return Offer(
                ref: code.ref,
                side: .mine(code, boundTo: nil, .open(secret: try oneTime(\.offer_secret, \.offer_kem_seed)))
            )
        }
        let first = try AnswerCode(bytes: try bytes(\.first_answer))
        let state = Offer.State.answered(by: first.peerID, answerHash: Hash.sha256(first.bytes))
        return Offer(ref: code.ref, side: .mine(code, boundTo: nil, state))
    }

    private func pairedBook() throws -> Book {
        guard ref != nil else { return Book(identity: try identity()) }
        let key = try bytes(\.author)
        let peer = try PeerID(publicKey: key)
        let role: Role = author_role == 0 ? .answerer : .offerer
        let keys = EpochKeys(
            send: nil,
            sendNonce: nil,
            receive: nil,
            rotate: try secret(\.rotate_key),
            chain: try chain == nil ? nil : secret(\.chain)
        )
        var rotation = Rotation<HSIPScheme>(
            current: Epoch(
                number: try #require(epoch),
                name: try bytes(\.ref),
                suite: epoch_suite ?? .one,
                keys: keys,
                end: UInt64(UInt32.max),
                limit: 1_000
            )
        )
        if rotate != nil {
            rotation.out = RotationAttempt(
                rotate: try RotateCode(bytes: try bytes(\.rotate)),
                ephemeral: try oneTime(\.rotate_secret, \.rotate_kem_seed)
            )
        }
        let th = [UInt8](repeating: 0, count: 32)
        let id = PairingID(transcript: th)
        var contact = Contact(peerID: peer, identityKey: key, sentName: "", alias: "author")
        contact.pairings = [
            PairingEntry(
                id: id,
                offerIssued: 0,
                answerIssued: 0,
                transcript: th,
                role: role,
                isConfirmed: true
            )
        ]
        let pairing = Pairing(
            id: id,
            contact: peer,
            role: role,
            profile: .dual,
            emoji: [],
            state: .live(rotation)
        )
        return Book(identity: try identity(), contacts: [contact], pairings: [pairing])
    }
}
