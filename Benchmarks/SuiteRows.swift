internal import HSIP
internal import VaultCrypto
internal import VaultKit

/// Codes and sessions of suite 02 beside those of suite 01.
enum SuiteRows {
    private static let rounds = 15

    /// What a pair of people does, step by step.
    private enum Step: String, CaseIterable {
        case offer = "make an OFFER"
        case answer = "take it and ANSWER"
        case taking = "take an ANSWER"
        case send = "send, no rotation open"
        case rotate = "begin a rotation"
        case sendOpen = "send while it is open"
        case accept = "accept a rotation"

        /// The time beside suite 01 at most.
        var most: Double {
            switch self {
            case .offer, .answer, .taking: 1.05
            case .send: 1
            case .sendOpen: 1.15
            case .rotate, .accept: 1.1
            }
        }
    }

    static func measure(hsip: String, in folder: String) async throws -> [Row] {
        try Scratch.makeFolder(folder)
        try Scratch.write(Array("see you at eight\n".utf8), to: folder + "/text")
        let suites = ["01", "02"]
        let homes = try suites.map { try SampleHome("\(folder)/alice-\($0)", hsip: hsip) }
        var runs = suites.map { _ in
            Dictionary(uniqueKeysWithValues: Step.allCases.map { ($0, ProgramRuns()) })
        }
        for round in 0...rounds {
            for index in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let bob = try SampleHome("\(folder)/bob-\(suites[index])-\(round)", hsip: hsip)
                for (step, run) in try await pair(homes[index], bob, "bob\(round)", suites[index], in: folder)
                where round > 0 {
                    runs[index][step]?.add(run)
                }
            }
        }
        let (old, new) = (runs[0], runs[1])
        return try kem()
            + Step.allCases.compactMap { step in
                guard let old = old[step], let new = new[step] else { return nil }
                return Row(
                    what: "suite 02: \(step.rawValue)",
                    ours: new.text,
                    peer: "\(old.text) suite 01",
                    ratio: new.ratio(to: old),
                    target: .time(atMost: step.most)
                )
            }
    }

    /// One pair from the first code to the first rotation.
    private static func pair(
        _ alice: SampleHome,
        _ bob: SampleHome,
        _ name: String,
        _ suite: String,
        in folder: String
    ) async throws -> [Step: Child.Run] {
        let (offer, answer, text) = ("\(folder)/offer", "\(folder)/answer", "\(folder)/text")
        let (sent, rotate, accept) = ("\(folder)/sent", "\(folder)/rotate", "\(folder)/accept")
        var runs: [Step: Child.Run] = [:]
        runs[.offer] = try alice.run(["pair", "--suite", suite], output: offer)
        runs[.answer] = try bob.run(["accept", "--as", "alice"], input: offer, output: answer)
        runs[.taking] = try alice.run(["accept", "--as", name], input: answer)
        // The next code of a contact is of suite 02 unless they are said to be old.
        if suite == "01" {
            _ = try await alice.open().setSuite(.one, of: name)
            _ = try await bob.open().setSuite(.one, of: "alice")
        }
        try bob.run(["encrypt", "alice"], input: text, output: sent)
        try alice.run(["decrypt"], input: sent)
        runs[.send] = try alice.run(["encrypt", name], input: text)
        runs[.rotate] = try alice.run(["pair", name], output: rotate)
        runs[.sendOpen] = try alice.run(["encrypt", name], input: text)
        runs[.accept] = try bob.run(["accept"], input: rotate, output: accept)
        try alice.run(["accept"], input: accept)
        return runs
    }

    /// The key encapsulation alone, beside the functions of BoringSSL that it calls.
    private static func kem() throws -> [Row] {
        let bytes = Entropy.system.bytes(MLKEM768.seedSize)
        let seed = try SecretBytes(copying: bytes)
        let random = try Entropy.system.secret(MLKEM768.secretSize)
        let key = try MLKEM768.publicKey(of: seed)
        let (ciphertext, _) = try MLKEM768.encapsulate(to: key, random: random)
        let bare = try BareKEM(seed: bytes)
        return [
            try kem("key pair", { _ = try MLKEM768.publicKey(of: seed) }, bare.makeKeyPair),
            try kem(
                "encapsulation",
                { _ = try MLKEM768.encapsulate(to: key, random: random) },
                bare.encapsulate
            ),
            try kem(
                "decapsulation from the seed",
                { _ = try MLKEM768.decapsulate(ciphertext, seed: seed) },
                bare.decapsulate
            ),
        ]
    }

    private static func kem(
        _ what: String,
        _ work: @escaping () throws -> Void,
        _ bare: @escaping () throws -> Void
    ) throws -> Row {
        let count = try Rounds.repetitions(of: bare)
        let works = [work, bare].map { work in { for _ in 0..<count { try work() } } }
        let seconds = try Rounds.run(rounds, works) { try Rounds.processorSeconds($0) / Double(count) }
        return Row(
            what: "ML-KEM-768: \(what)",
            ours: Format.time(Rounds.median(seconds[0])),
            peer: "\(Format.time(Rounds.median(seconds[1]))) bare BoringSSL",
            ratio: Rounds.ratio(seconds[0], seconds[1]),
            target: .time(atMost: 1.5)
        )
    }
}
