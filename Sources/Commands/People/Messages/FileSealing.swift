internal import HSIP
internal import Presentation
internal import Synchronization
internal import System
internal import VaultCrypto
internal import VaultKit

/// `hsip encrypt CONTACT --file F`: seals a file of any size, as Schemas/file-container.md says.
struct FileSealing {
    let contact: String
    /// The file; `-` is stdin.
    let source: String
    let target: NewFileOptions

    /// Chunks that one thread seals at a time: few enough to stay in the processor's cache.
    static let run = FileDigest.pieceSize / FileChunks.plainSize

    func run(_ context: Context) async throws {
        let place = try FilePlace(target, or: source == "-" ? nil : "\(source).hsip", context)
        // All checks come before a message number of the session is used.
        let file: OpenFile? = source == "-" ? nil : try OwnFile.opened(source)
        let vault = try await context.openVault()
        let input = file?.descriptor ?? .input
        let contents = try context.output.working("reading…") { try FileContents(of: input) }
        let unfinished = try place.begin(force: target.force)
        let names = ContactNames(context, vault)
        let (sealed, _) = try await names.using(contact) {
            try await vault(Operations.sealFileKey, $0, contents.digest)
        }
        let header = try FileHeader(keyMessage: sealed.message.envelope)
        let chunks = try FileChunks(header: header, fileKey: sealed.key)
        let end = unfinished?.descriptor ?? .output
        try end.write(header.bytes)
        let relay = Relay(
            from: input,
            to: end,
            after: contents.beginning,
            batchSize: FileDigest.pieceSize,
            roomSize: Self.run * FileChunks.sealedSize,
            watch: unfinished?.watch
        )
        let count = try context.output.working("sealing…") {
            try relay.ran { number, bytes, isLast, room throws(HSIPError) in
                try chunks.seal(bytes, first: number * UInt64(Self.run), isLast: isLast, into: &room)
            }
        }
        try unfinished?.finish()
        withExtendedLifetime(file) {}
        context.output.tell(sealed.message.notices, about: sealed.message.contact)
        if let path = place.path { context.output.say(path) }
        try context.output.succeed([
            "file": .optional(place.path), "bytes": .integer(count.read),
            "contact": .text(sealed.message.contact), "sent": .integer(sealed.message.sent),
            "limit": .integer(sealed.message.limit), "expiresAt": .time(sealed.message.endsAt),
        ])
    }
}

extension Relay {
    /// Runs the relay, and converts its errors.
    func ran(
        _ work: @Sendable (UInt64, RawSpan, Bool, inout MutableRawSpan) throws(HSIPError) -> Int
    ) throws -> Count {
        do throws(RelayError<HSIPError>) {
            return try run(work)
        } catch {
            switch error {
            case .stream(let error): throw error
            case .work(let error): throw error
            }
        }
    }
}

/// The content to seal, read before its key is made, because the key depends on it.
struct FileContents {
    /// The digest of the whole file if it can be read twice, otherwise of its first batch.
    let digest: [UInt8]
    /// The bytes that were read from a stream and cannot be read again.
    let beginning: Secret?

    /// Reads a regular file to its end without moving its position, or the first batch of a pipe.
    init(of input: Descriptor) throws {
        if let place = input.place {
            digest = try Self.digest(of: input)
            try input.seek(to: place)
            beginning = nil
            return
        }
        var piece = try SecretBytes(count: FileDigest.pieceSize)
        let count = try input.fill(&piece)
        let beginning = Secret(try piece.slice(0..<count))
        var digest = FileDigest()
        digest.add(beginning)
        self.digest = digest.finish(isWhole: count < FileDigest.pieceSize)
        self.beginning = beginning
    }

    /// The digest of a file: several threads summarize its pieces, which are then added in order.
    private static func digest(of input: Descriptor) throws -> [UInt8] {
        let digest = Mutex(FileDigest())
        let relay = Relay(from: input, batchSize: FileDigest.pieceSize, roomSize: FileDigest.summarySize) {
            let summary = $0.copied()
            digest.withLock { $0.add(summary: summary) }
        }
        _ = try relay.ran { _, piece, _, summary throws(HSIPError) in
            try FileDigest.summarize(piece, into: &summary)
            return FileDigest.summarySize
        }
        return digest.withLock { $0.finish(isWhole: true) }
    }
}

/// The target of a file: a path, where it appears when it is finished, or stdout, as the data come.
enum FilePlace {
    case file(String)
    case output

    /// The target that `-o` names, or the default.
    ///
    /// - Parameters:
    ///   - target: The value of `-o`; `-` is stdout.
    ///   - standard: The file to write without `-o`; nil is stdout.
    ///   - context: Knows whether stdout is a terminal, or carries the JSON.
    /// - Throws: `inputNeeded` if stdout is a terminal that was not named, or carries the JSON; the errors of
    ///   `NewFile.check`.
    init(_ target: NewFileOptions, or standard: String?, _ context: Context) throws(Failure) {
        if let path = target.output ?? standard, path != "-" {
            try NewFile.check(path, replaces: target.force)
            self = .file(path)
            return
        }
        guard !context.isJSON, target.output == "-" || !context.console.outputIsTerminal else {
            throw Failure(
                .inputNeeded,
                context.isJSON
                    ? "the JSON goes to stdout, so the file needs another place"
                    : "the file is not text for a terminal",
                hint: "-o FILE"
            )
        }
        self = .output
    }

    /// The path; nil for stdout.
    var path: String? {
        if case .file(let path) = self { path } else { nil }
    }

    /// Starts to write the file; nil for stdout.
    func begin(force: Bool) throws(ProgramError) -> UnfinishedFile? {
        guard case .file(let path) = self else { return nil }
        return try UnfinishedFile(at: path, force: force)
    }
}
