internal import HSIP
internal import Presentation
internal import System

/// Delivers a code: one line on stdout, and on a terminal the QR code to scan.
///
/// The code is already saved. An offer without a recipient is shown only once, so its line is printed even if the
/// rest fails.
struct CodeDelivery {
    /// The targets of a code besides its line on stdout.
    struct Places {
        var qr: QRFormat?
        var output: String?
        var replaces = false
        var copies = false
        /// Whether the code is an offer for anyone, which would be smaller in person.
        var mayBeInPerson = false

        /// The format of the picture in the file: the given format, or the format of the file name's ending.
        var fileFormat: QRFormat {
            if let qr { return qr }
            guard let output else { return QRFormat.none }
            if output.hasSuffix(".png") { return .png }
            return output.hasSuffix(".svg") ? .svg : QRFormat.none
        }
    }

    let context: Context
    let options: Places

    init(_ context: Context, _ options: Places = Places()) {
        self.context = context
        self.options = options
    }

    /// The result of delivering a code.
    struct Result {
        /// The `image` of the JSON, or null.
        var image = JSONValue.null
        /// Whether the code is on the clipboard.
        var isCopied = false
        /// A picture for this session, removed when the program ends.
        var picture: RuntimeFile?

        /// Removes the picture that was only for the eyes of this session.
        func end() { picture?.remove() }
    }

    /// Refuses targets that cannot work, before a code is made.
    func check() throws(Failure) {
        if context.isJSON, options.output == nil, options.qr != nil, options.qr != QRFormat.none {
            throw Failure.usage("--qr with --json needs a file", hint: "-o FILE")
        }
        try NewFile.check(options.output, replaces: options.replaces)
    }

    /// Delivers a code for a contact, prints below it what to do with the code, and returns its JSON.
    func hand(_ code: ExchangeCode, to alias: String?, isCached: Bool) throws -> JSONValue {
        let given = try deliver(code)
        defer { given.end() }
        context.output.say(CodeTexts(context).below(code, for: alias))
        return .code(code, contact: alias, isCached: isCached, given)
    }

    /// Prints, draws, writes and copies as the options say.
    ///
    /// With `waits`, a question follows, so this does not wait for the person to see a picture. If a file or the
    /// clipboard cannot be written, hsip only notes it. Throws the errors of drawing or printing the code.
    func deliver(_ code: ExchangeCode, waits: Bool = false) throws -> Result {
        try deliver(text: code.text, waits: waits)
    }

    /// Delivers any text that another HSIP program reads.
    func deliver(text: String, waits: Bool = false) throws -> Result {
        var result = Result()
        if options.output == nil {
            try show(text, waits: waits, &result)
        } else if let image = writeFile(text) {
            result.image = image
            if options.fileFormat != QRFormat.none { try context.output.line(text) }
        } else {
            try context.output.line(text)
        }
        if options.copies { result.isCopied = copy(text) }
        return result
    }

    /// Writes the file; nil if that fails: then the line is printed, as an offer exists only once.
    private func writeFile(_ text: String) -> JSONValue? {
        guard let path = options.output else { return nil }
        do {
            return try write(text, to: path)
        } catch {
            tell("the file was not written", error)
            return nil
        }
    }

    private func copy(_ text: String) -> Bool {
        do throws(ConsoleError) {
            try Clipboard(environment: context.environment).copy(text)
            return true
        } catch {
            tell("the code was not copied", error)
            return false
        }
    }

    private func tell(_ what: String, _ error: any Error) {
        context.output.note("\(what): \(Failure(error).message)")
    }

    /// Writes the picture into a file, or the code itself if no picture is wanted.
    private func write(_ text: String, to path: String) throws -> JSONValue {
        let format = options.fileFormat
        guard format != QRFormat.none else {
            try OwnFile.write(Array("\(text)\n".utf8), to: path, force: options.replaces)
            return .null
        }
        return try context.write(try QRPicture(text, as: format), to: path, force: options.replaces)
    }
}

extension JSONValue {
    /// A code for a contact, and the result of its delivery.
    static func code(
        _ code: ExchangeCode,
        contact: String?,
        isCached: Bool,
        _ delivered: CodeDelivery.Result
    ) -> JSONValue {
        .code(
            code,
            contact: contact,
            isCached: isCached,
            image: delivered.image,
            isCopied: delivered.isCopied
        )
    }
}
