internal import VaultCrypto

/// Blots out values in a stream, also where one comes in pieces.
///
/// It knows the values as they are: one that is printed in another form (base64, cut into lines, escaped) passes.
struct Masker {
    /// Shorter values would blot out half of every text.
    static let shortest = 4
    private static let blot = Array("****".utf8)

    private let secrets: [Secret]
    /// What may be the beginning of a value.
    private var held: [UInt8] = []
    /// Bytes of it that belong to a value that is masked already: the end of one may begin another.
    private var covered = 0

    /// For some values, of which those that are too short are passed over; a final line feed does not count.
    init(_ secrets: [Secret]) throws(CryptoError) {
        var kept: [Secret] = []
        for secret in secrets {
            let count = Self.size(of: secret)
            if count >= Self.shortest { kept.append(Secret(try secret.slice(0..<count))) }
        }
        // Of two that begin alike the longer one counts.
        self.secrets = kept.sorted { $0.count > $1.count }
    }

    /// Whether a value passes, because it is too short; an empty one needs no mask.
    static func passes(_ secret: Secret) -> Bool { (1..<shortest).contains(size(of: secret)) }

    /// Bytes without final line feeds.
    private static func size(of secret: Secret) -> Int {
        var count = secret.count
        while count > 0, secret.withBytes({ [0x0A, 0x0D].contains($0.byte(at: count - 1)) }) { count -= 1 }
        return count
    }

    /// Takes what came, and gives what may be shown.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        held += bytes
        return flush(isEnd: false)
    }

    /// Gives what was held back: nothing more comes.
    mutating func end() -> [UInt8] { flush(isEnd: true) }

    private mutating func flush(isEnd: Bool) -> [UInt8] {
        var shown: [UInt8] = []
        var place = 0
        scanning: while place < held.count {
            for secret in secrets {
                let there = min(secret.count, held.count - place)
                guard begins(secret, at: place, there) else { continue }
                guard there == secret.count else {
                    if isEnd { continue }
                    break scanning
                }
                if place >= covered { shown += Self.blot }
                covered = max(covered, place + there)
                break
            }
            if place >= covered { shown.append(held[place]) }
            place += 1
        }
        covered = max(0, covered - place)
        let rest = Array(held[place...])
        held.wipe()
        held = rest
        return shown
    }

    private func begins(_ secret: Secret, at place: Int, _ count: Int) -> Bool {
        secret.withBytes { span in (0..<count).allSatisfy { span.byte(at: $0) == held[place + $0] } }
    }
}
