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
        // Everything that can be refused is, before a number of the session is used.
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
    /// Runs it, with the errors that commands know.
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

/// What is to be sealed, looked at before its key is made: the key depends on it.
struct FileContents {
    /// Of the whole file where it can be read twice, else of its first batch.
    let digest: [UInt8]
    /// What was read of a stream, and comes from there no more.
    let beginning: Secret?

    /// Reads a regular file to its end and leaves it where it stands; of a pipe, its first batch.
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

    /// Pieces are summarized by several threads, and added in their order.
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

/// Where a file goes: under a name, all at once when it is finished, or to stdout as it comes.
enum FilePlace {
    case file(String)
    case output

    /// The place that `-o` names; without it the default.
    ///
    /// - Parameters:
    ///   - target: What `-o` says; `-` is stdout.
    ///   - standard: The file to write without `-o`; nil is stdout.
    ///   - context: Knows whether stdout is a terminal, or carries the JSON.
    /// - Throws: `inputNeeded` where stdout would be a terminal that was not named, or carries the JSON; what
    ///   `NewFile.check` throws.
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

    /// Begins to write there; nil for stdout.
    func begin(force: Bool) throws(ProgramError) -> UnfinishedFile? {
        guard case .file(let path) = self else { return nil }
        return try UnfinishedFile(at: path, force: force)
    }
}
