public import VaultCrypto

/// Many secrets in few blocks of locked memory, for sending to another process or until they are written.
///
/// A block of locked memory needs four pages and four entries in the system's table of mappings, which is full at some
/// ten thousand. So thousands of secrets are joined, and read as parts.
public struct SecretPack: Sendable {
    /// Bytes in the longest piece, 2 MiB, which is one frame of the agent's socket; a longer secret needs several pieces.
    public static let longestPiece = 2 << 20
    /// The most secrets that stay separate before they are joined.
    private static let maximumLoose = 256

    /// The number of secrets.
    public private(set) var count = 0
    private var full: [Secret] = []
    private var open: Secret?
    private var loose: [Secret] = []
    private var looseBytes = 0

    /// Makes an empty pack.
    public init() {}

    /// Packs some secrets, in their order.
    public init(_ secrets: some Sequence<Secret>) throws(CredentialError) {
        for secret in secrets { try append(secret) }
    }

    /// Adds a secret after the others.
    ///
    /// - Throws: `CredentialError.outOfMemory`.
    public mutating func append(_ secret: Secret) throws(CredentialError) {
        let size = secret.count + 4
        if (open?.count ?? 0) + looseBytes + size > Self.longestPiece {
            try join()
            if let open { full.append(open) }
            open = nil
        }
        loose.append(secret)
        looseBytes += size
        count += 1
        if loose.count >= Self.maximumLoose { try join() }
    }

    /// Reads the secrets in their order; each is a part of its piece.
    ///
    /// - Throws: `CredentialError.malformed` for pieces with other content; `outOfMemory`.
    public func secrets() throws(CredentialError) -> [Secret] {
        // Secrets that were never joined did not come from another process.
        guard open != nil || !full.isEmpty else {
            guard loose.count == count else { throw .malformed }
            return loose
        }
        let pieces = try pieces()
        var secrets: [Secret] = []
        // The author of the pack sets the number, so it is limited: each secret has its length before it.
        secrets.reserveCapacity(min(max(0, count), pieces.reduce(0) { $0 + $1.count / 4 }))
        var rest = pieces[...]
        while let piece = rest.popFirst() {
            var reader = ContentReader(piece)
            if let missing = reader.missing {
                // The secret continues in the next pieces.
                secrets.append(try Self.joined(piece, missing, &rest))
                continue
            }
            while !reader.isAtEnd { secrets.append(try reader.part(limit: piece.count)) }
        }
        guard secrets.count == count else { throw .malformed }
        return secrets
    }

    private func pieces() throws(CredentialError) -> [Secret] {
        var whole = self
        try whole.join()
        var pieces: [Secret] = []
        for piece in whole.full + (whole.open.map { [$0] } ?? []) {
            for start in stride(from: 0, to: piece.count, by: Self.longestPiece) {
                pieces.append(try Self.part(piece, start..<min(start + Self.longestPiece, piece.count)))
            }
        }
        return pieces
    }

    /// Joins a long secret that begins after the length in a piece and ends in a later piece.
    private static func joined(
        _ first: Secret,
        _ missing: Int,
        _ rest: inout ArraySlice<Secret>
    ) throws(CredentialError) -> Secret {
        var parts = [try part(first, 4..<first.count)]
        var missing = missing
        while missing > 0 {
            guard let next = rest.popFirst(), (1...missing).contains(next.count) else { throw .malformed }
            parts.append(next)
            missing -= next.count
        }
        do throws(CryptoError) {
            return Secret(try SecretBytes.joined(parts))
        } catch {
            throw .outOfMemory
        }
    }

    private static func part(_ secret: Secret, _ range: Range<Int>) throws(CredentialError) -> Secret {
        guard range.count < secret.count else { return secret }
        do throws(CryptoError) {
            return try secret.part(range)
        } catch {
            throw .malformed
        }
    }

    private mutating func join() throws(CredentialError) {
        guard !loose.isEmpty else { return }
        var writer = try ContentWriter(capacity: (open?.count ?? 0) + looseBytes)
        if let open { try writer.raw(open) }
        for secret in loose { try writer.string(secret) }
        open = try writer.content()
        loose = []
        looseBytes = 0
    }
}

/// Secrets with a head for each, for sending to another process.
package struct PackedSecrets<Head: Codable & Sendable>: Sendable {
    private let heads: [Head]
    private let secrets: SecretPack

    package init(_ heads: [Head], _ secrets: [Secret]) throws(CredentialError) {
        self.heads = heads
        self.secrets = try SecretPack(secrets)
    }

    /// The number of secrets.
    package var count: Int { heads.count }

    /// Each secret with its head, in order.
    ///
    /// - Throws: `CredentialError.malformed` for a wrong number of secrets; `outOfMemory`.
    package func all() throws(CredentialError) -> [(head: Head, secret: Secret)] {
        let secrets = try secrets.secrets()
        guard secrets.count == heads.count else { throw .malformed }
        // A loop instead of `map`, for a quick start (ARCHITECTURE.md).
        var all: [(head: Head, secret: Secret)] = []
        for index in heads.indices { all.append((heads[index], secrets[index])) }
        return all
    }
}

extension PackedSecrets: Codable {
    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        secrets = try list.decode(SecretPack.self)
        var heads: [Head] = []
        while !list.isAtEnd { heads.append(try list.decode(Head.self)) }
        self.heads = heads
    }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(secrets)
        for head in heads { try list.encode(head) }
    }
}

extension SecretPack: Codable {
    /// Encodes the number of secrets, and the pieces, as a list; only a coder that supports secrets may do this.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(count)
        for piece in try pieces() { try list.encode(piece) }
    }

    /// Decodes the pieces; their secrets are read on request.
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        count = try list.decode(Int.self)
        while !list.isAtEnd { full.append(try list.decode(Secret.self)) }
    }
}
