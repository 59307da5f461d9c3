internal import HSIP
internal import Presentation
internal import System
internal import VaultKit
internal import VaultLifecycle

/// Delivers a parcel: its text to stdout, as a line or a picture, or its bytes to a file; a long one only as bytes.
///
/// A parcel is made only once, and its record is already saved: so a failed write must never lose it.
struct GiftDelivery {
    let context: Context
    let target: NewFileOptions
    var qr: QRFormat?

    /// Delivers the parcel.
    ///
    /// - Returns: The file that was written; nil for stdout.
    func deliver(_ sent: SentGift) throws -> String? {
        let parcel = try SealedParcel(bytes: sent.parcel)
        context.output.tell(sent.notices, about: sent.contact)
        let isShort = sent.parcel.count <= ParcelText.longest
        let text = isShort ? String(decoding: try ParcelText.write(parcel), as: UTF8.self) : nil
        if let qr, let text, isDrawable(text, qr) { return try draw(text, as: qr) }
        // With `-o -`, a parcel without text goes to stdout too, if stdout accepts bytes.
        let takesBytes = target.output != nil && !context.isJSON && !context.console.outputIsTerminal
        if let path = target.path ?? (isShort || takesBytes ? nil : freePath(sent)) {
            do {
                try OwnFile.write(sent.parcel, to: path, force: target.force)
            } catch {
                if let text { try context.output.data(Array("\(text)\n".utf8)) }
                throw error
            }
            context.output.say("The secret is in \(context.shown(path)): send that file.")
            return path
        }
        try context.output.data(text.map { Array("\($0)\n".utf8) } ?? sent.parcel)
        return nil
    }

    /// Whether a text fits into a picture; otherwise only the text is printed.
    private func isDrawable(_ text: String, _ format: QRFormat) -> Bool {
        guard format != .none else { return false }
        let isForScreen = format.blocks != nil && target.path == nil
        do {
            _ = try QRPicture(text, as: format, isForScreen: isForScreen)
            return true
        } catch {
            context.output.note("this secret is too long for a QR code")
            return false
        }
    }

    private func draw(_ text: String, as format: QRFormat) throws -> String? {
        var places = CodeDelivery.Places()
        (places.qr, places.output, places.replaces) = (format, target.path, target.force)
        let result = try CodeDelivery(context, places).deliver(text: text)
        result.end()
        return target.path
    }

    /// A free file name in the current folder, for a parcel without text; a second parcel must not fail, either.
    private func freePath(_ sent: SentGift) -> String {
        let last = sent.secret.split(separator: "/").last.map { String($0) } ?? "secret"
        var (path, number) = (last + ".hsipsecret", 2)
        while Path.exists(path) { (path, number) = ("\(last)-\(number).hsipsecret", number + 1) }
        return path
    }
}

extension JSONValue {
    /// `secret send`, `secret withdraw`.
    static func sentGift(_ sent: SentGift, file: String?) -> JSONValue {
        let text = (try? SealedParcel(bytes: sent.parcel)).flatMap { try? ParcelText.write($0) }
        return [
            "text": .optional(text.map { String(decoding: $0, as: UTF8.self) }),
            "outputFile": .optional(file), "contact": .text(sent.contact), "name": .text(sent.secret),
            "version": .integer(sent.version), "fields": .texts(sent.fields),
            "expiresAt": .time(sent.expires), "sent": .integer(sent.sent), "limit": .integer(sent.limit),
            "keyExpiresAt": .time(sent.endsAt),
        ]
    }
}
