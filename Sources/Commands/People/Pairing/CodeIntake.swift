internal import Glibc
internal import HSIP
internal import Presentation
internal import System
internal import VaultKit

/// Reads other people's codes from an argument, a file, a picture, the camera, the clipboard, a pipe, or a paste.
struct CodeIntake {
    typealias Source = CodeSource

    /// A text with codes in it.
    struct Text {
        let bytes: [UInt8]
        let source: Source
    }

    let context: Context

    /// Reads from the only source that the words name.
    ///
    /// - Throws: usage for two sources at once; `inputNeeded` without a source and without a user to ask.
    func read(_ argument: String?, fromCamera: Bool, fromClipboard: Bool) throws -> Text {
        let places = (argument == nil ? 0 : 1) + (fromCamera ? 1 : 0) + (fromClipboard ? 1 : 0)
        guard places < 2 else {
            throw Failure.usage("choose a single source: a code, a file, --camera or --paste")
        }
        if fromCamera {
            let reader = ImageReader(environment: context.environment)
            return Text(bytes: Array(try reader.codeFromCamera().utf8), source: .camera)
        }
        if fromClipboard {
            let text = try Clipboard(environment: context.environment).paste()
            return Text(bytes: Array(text.utf8), source: .clipboard)
        }
        if let argument { return try read(argument: argument) }
        if !context.console.inputIsTerminal {
            return try judge(try OwnFile.read("-", limit: ImageReader.limit))
        }
        let question = "Paste their code:"
        guard let pasted = try context.terminal.askCode(question, flag: "CODE, FILE or -") else {
            throw ConsoleError.refused
        }
        return Text(bytes: pasted, source: .text)
    }

    /// The codes in a picture, or in the picture that a path leads to.
    func image(_ path: String) throws -> Text {
        try picture(try OwnFile.read(path, limit: ImageReader.limit))
    }

    /// Reads an argument that is a code, or the name of a file.
    private func read(argument: String) throws -> Text {
        let bytes = Array(argument.utf8)
        if Self.looksLikeCode(argument) || MessageText.hasMarker(bytes)
            || !ParcelText.find(in: bytes).isEmpty
        {
            return Text(bytes: bytes, source: .text)
        }
        do throws(ConsoleError) {
            return try judge(try OwnFile.read(argument, limit: ImageReader.limit))
        } catch {
            guard error == .noSuchFile else { throw error }
            throw Failure(
                .notFound,
                "the argument is neither a code nor a file",
                hint: "hsip accept  asks for a paste"
            )
        }
    }

    private func judge(_ bytes: [UInt8]) throws(ConsoleError) -> Text {
        guard !ImageReader.isImage(bytes) else { return try picture(bytes) }
        if SealedParcel.begins(bytes) { return Text(bytes: bytes, source: .text) }
        guard bytes.count <= OwnFile.textLimit else { throw .tooLarge(limit: OwnFile.textLimit) }
        return Text(bytes: bytes, source: .text)
    }

    private func picture(_ bytes: [UInt8]) throws(ConsoleError) -> Text {
        let codes = try ImageReader(environment: context.environment).codes(in: bytes)
        return Text(bytes: Array(codes.joined(separator: "\n").utf8), source: .image)
    }

    /// Whether a word was meant as a code or a link, because it contains `hsip:`.
    static func looksLikeCode(_ word: String) -> Bool {
        word.lowercased().contains("hsip:")
    }
}

extension CodeIntake {
    /// The codes of a text, and the source of the text.
    struct Found {
        let found: FoundCodes
        let source: Source
    }

    /// The codes of a link; a message is not a code, and an error explains the links of old apps.
    func codes(inLink link: String, _ vault: any VaultService) async throws -> Found {
        guard link.lowercased().hasPrefix("hsip:"), link.utf8.count <= OwnFile.textLimit else {
            throw VaultError.hsip(.noCode)
        }
        return Found(found: FoundCodes(try await vault(Operations.codesIn, Array(link.utf8))), source: .text)
    }

    /// Looks for codes, first in the text and then inside the messages in it.
    func codes(in text: Text, _ vault: any VaultService) async throws -> Found {
        let found = try await vault.codes(anywhereIn: text.bytes)
        return Found(found: found, source: found.carriers.isEmpty ? text.source : .message)
    }
}
