internal import HSIP
internal import Presentation
internal import System
internal import Text
internal import VaultKit

extension Decrypt {
    /// The input to open.
    enum Input {
        /// A text with messages in it.
        case text([UInt8])
        /// A secret for this vault, which `decrypt` never shows.
        case parcel
        /// A sealed file, after the bytes that identify its format, and the object that keeps it open.
        case sealed(Descriptor, OpenFile?)
    }

    func read(_ context: Context) throws -> Input {
        guard file == nil || !paste else {
            throw Failure.usage("choose a file or --paste, not both")
        }
        if paste { return .text(Array(try Clipboard(environment: context.environment).paste().utf8)) }
        if let file, file != "-" {
            guard !MessageText.hasMarker(Array(file.utf8)) else {
                throw Failure.usage(
                    "hsip decrypt reads messages from stdin, a file or the clipboard",
                    hint: "hsip decrypt --paste"
                )
            }
            let open: OpenFile
            do throws(ConsoleError) {
                open = try OwnFile.opened(file)
            } catch {
                guard error == .noSuchFile else { throw error }
                throw Failure(.notFound, "\(context.output.display.text(file)): no such file")
            }
            let input = try judge(open.descriptor, open)
            // The name `.hsip` promises a sealed file, so text in it is an error.
            if case .text = input, file.hasSuffix(".hsip") { throw HSIPError.malformedFile }
            return input
        }
        guard file == nil, context.console.inputIsTerminal else { return try judge(.input, nil) }
        guard let pasted = try context.terminal.askCode("Paste the messages:", flag: "FILE or stdin") else {
            throw ConsoleError.refused
        }
        return .text(pasted)
    }

    /// Tells a sealed file from a text by the first bytes.
    private func judge(_ source: Descriptor, _ file: OpenFile?) throws(ConsoleError) -> Input {
        let start = try source.read(upTo: FileHeader.magic.count)
        guard !SealedParcel.begins(start) else { return .parcel }
        guard !FileHeader.begins(start) else { return .sealed(source, file) }
        return .text(try OwnFile.read(allOf: source, after: start, limit: MessageText.longestText))
    }
}
