internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit

/// `hsip decrypt X.hsip`: opens a file that was sealed for me.
///
/// A file appears only after the last chunk is verified; on stdout, each chunk is written after it is verified.
struct FileOpening {
    /// The file, after the bytes that identify its format.
    let source: Descriptor
    /// From `--from`.
    let from: String?
    let target: NewFileOptions

    func run(_ context: Context) async throws {
        let place = try FilePlace(target, or: nil, context)
        let header = try readHeader()
        let vault = try await context.openVault()
        let unfinished = try place.begin(force: target.force)
        var alias: String?
        if let from { alias = try await ContactNames(context, vault).resolve(from).alias }
        let opened = try await key(header.keyMessage, from: alias, context, vault)
        let chunks = try FileChunks(header: header, fileKey: opened.key)
        let relay = Relay(
            from: source,
            to: unfinished?.descriptor ?? .output,
            batchSize: FileSealing.run * FileChunks.sealedSize,
            roomSize: FileSealing.run * FileChunks.sealedSize,
            watch: unfinished?.watch
        )
        let count = try context.output.working("opening…") {
            try relay.ran { number, bytes, isLast, room throws(HSIPError) in
                try chunks.open(bytes, first: number * UInt64(FileSealing.run), isLast: isLast, into: &room)
            }
        }
        try unfinished?.finish()
        tell(opened, header.keyMessage.sender, context)
        try context.output.succeed([
            "file": .optional(place.path), "bytes": .integer(count.written),
            "contact": .optional(opened.contact), "peerId": .text(header.keyMessage.sender.text),
            "repeated": .bool(opened.isReread),
            "mayHaveBeenReadBefore": .bool(opened.notices.contains(.mayHaveBeenReadBefore)),
        ])
    }

    /// Reads the header, which follows the magic.
    private func readHeader() throws -> FileHeader {
        var bytes = FileHeader.magic
        let rest = try source.read(upTo: FileHeader.size - bytes.count)
        bytes += rest
        return try FileHeader(bytes: bytes)
    }

    private func key(
        _ envelope: MessageEnvelope,
        from alias: String?,
        _ context: Context,
        _ vault: any VaultService
    ) async throws -> OpenedFileKey {
        do {
            return try await vault(Operations.openFileKey, envelope, alias)
        } catch let error as VaultError {
            guard case .hsip = error else { throw error }
            var whose = alias
            if whose == nil { whose = try await vault(Operations.aliasOf, envelope.sender) }
            var failure = await context.explain(error, vault, about: whose)
            if error == .hsip(.unknownSender) { failure.message = "the file is from someone you do not know" }
            if error == .hsip(.cannotOpen) {
                failure.message =
                    "no key of this contact opens the file: the file was changed on the way, or its key is already wiped"
            }
            throw failure
        }
    }

    private func tell(_ opened: OpenedFileKey, _ sender: PeerID, _ context: Context) {
        context.output.tell(opened.notices, about: opened.contact, sender)
        if opened.isReread {
            context.output.note(Warning("openedBefore", "this file was opened here before"))
        }
        guard let contact = opened.contact else { return }
        context.output.say("from \(context.output.display.cell(contact))")
    }
}
