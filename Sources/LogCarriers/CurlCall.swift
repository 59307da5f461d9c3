internal import System
internal import VaultCrypto

/// One https request by `curl`.
///
/// All its options come through standard input, so that neither a token nor a password is an argument.
struct CurlCall {
    /// The body, as JSON within the quotes of a curl setting.
    enum Body {
        case open([UInt8])
        case secret(Secret)
    }

    /// The outcome of a request.
    struct Answer {
        /// The HTTP status; 0 if no response arrived.
        let status: Int
        let body: [UInt8]
        /// The reason why no response arrived.
        let failure: CarrierError?
        /// Whether any part of the request may have arrived.
        let isSent: Bool
        /// Whether the time ran out during the response.
        var isCutOff = false
    }

    let runner: HelperRunner
    let credentials: EtcdCredentials
    let signals: SignalWatch?

    /// The seconds within which a server must accept the connection, including TLS.
    private static let secondsToConnect = 2

    /// Posts a body and waits for the response.
    ///
    /// - Throws: `helperMissing`, `outOfMemory`, `interrupted`.
    func post(
        _ url: String,
        _ body: Body,
        token: Secret?,
        milliseconds: Int
    ) throws(CarrierError) -> Answer {
        let options = try options(url, body, token, milliseconds)
        do throws(ProgramError) {
            // The first word makes curl ignore the user's settings.
            var curl = try runner.process(.curl, ["--disable", "--config", "-"])
            curl.secretInput = options
            curl.limit = CarrierLimits.bytesRead + 1_024
            curl.seconds = milliseconds / 1_000 + 2
            curl.signals = signals
            curl.leadsSession = true
            curl.largestFile = CarrierLimits.helperFile
            curl.file = credentials.authority.map { Array($0.utf8) }
            let end = try curl.runKeepingErrors()
            return Self.answer(end.status, end.output, String(decoding: end.errors, as: UTF8.self))
        } catch {
            switch error {
            case .timedOut: return Answer(status: 0, body: [], failure: .unreachable, isSent: true)
            case .tooLarge: return Answer(status: 0, body: [], failure: .tooLarge, isSent: true)
            default: throw CarrierError(error)
            }
        }
    }

    private func options(
        _ url: String,
        _ body: Body,
        _ token: Secret?,
        _ milliseconds: Int
    ) throws(CarrierError) -> Secret {
        var lines = [
            "url = \(Self.quoted(url))", "silent", "show-error", "globoff", "tlsv1.2",
            "proto = \"=https\"", "max-redirs = 0", "noproxy = \"*\"",
            "max-filesize = \(CarrierLimits.bytesRead)", "connect-timeout = \(Self.secondsToConnect)",
            "max-time = \(Double(milliseconds) / 1_000)",
            // `Expect: 100-continue` would cost a round trip.
            "header = \"Expect:\"", "write-out = \"\\n%{http_code} %{size_request}\"",
        ]
        for (name, path) in [("cert", credentials.certificate), ("key", credentials.key)] {
            if let path { lines.append("\(name) = \(Self.quoted(path))") }
        }
        if credentials.authority != nil {
            // Otherwise curl would also trust the system's authorities: this folder has no file with a certificate's
            // name.
            lines += ["cacert = \"\(ChildProcess.filePath)\"", "capath = \"/proc/self/task\""]
        }
        var pieces: [any ByteSource] = [Array((lines.joined(separator: "\n") + "\n").utf8)]
        if let token { pieces += [Array("header = \"Authorization: ".utf8), token, Array("\"\n".utf8)] }
        for piece in Self.pieces(of: body) { pieces += [Array("json = \"".utf8), piece, Array("\"\n".utf8)] }
        do {
            return Secret(try SecretBytes.joined(pieces))
        } catch {
            throw .outOfMemory
        }
    }

    /// Splits a body into lines of curl settings: a line has a limit (100 KiB in older versions), and `json` joins
    /// several lines.
    private static func pieces(of body: Body) -> [any ByteSource] {
        switch body {
        case .secret(let secret): return [secret]
        case .open(let bytes):
            var pieces: [any ByteSource] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                var piece = rest.prefix(1 << 16)
                // Keeps an escape sequence in one piece.
                while piece.count < rest.count, piece.last == UInt8(ascii: "\\") { piece = piece.dropLast() }
                pieces.append(piece)
                rest = rest[piece.endIndex...]
            }
            return pieces
        }
    }

    /// Quotes a text for curl settings, which need the same escapes for quotes and backslashes as JSON.
    static func quoted(_ text: String) -> String {
        // By bytes: a quote with an accent after it is one Swift character, but still a quote.
        "\"" + String(decoding: escaped(text), as: UTF8.self) + "\""
    }

    /// The body of a request within the quotes of a setting.
    static func escaped(_ json: String) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(json.utf8.count + json.utf8.count / 8)
        for byte in json.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(UInt8(ascii: "\\")) }
            out.append(byte)
        }
        return out
    }

    /// Splits the output into the body and the text of `write-out`, which follows the last line feed.
    private static func answer(_ status: Int32, _ output: [UInt8], _ errors: String) -> Answer {
        guard let end = output.lastIndex(of: 0x0A) else {
            return Answer(status: 0, body: [], failure: .unreachable, isSent: true)
        }
        let words = String(decoding: output[(end + 1)...], as: UTF8.self).split(separator: " ")
        let code = words.first.flatMap { Int($0) } ?? 0
        let isSent = words.count < 2 || words[1] != "0"
        let failure: CarrierError? =
            switch status {
            case 0: code == 0 ? .unreachable : nil
            // The server's certificate, or the certificates of its authority.
            case 51, 60, 77: .badCertificate(fault(errors), server: 0)
            case 63: .tooLarge
            case 28 where isSent: .noMajority
            // Our certificate: an unusable file, or an alert from the server.
            case 58: .refused
            case 35, 55, 56: errors.contains("alert") ? .refused : .unreachable
            default: .unreachable
            }
        return Answer(
            status: code,
            body: Array(output[..<end]),
            failure: failure,
            isSent: isSent,
            isCutOff: status == 28 && output.startIndex < end
        )
    }

    /// Returns the fault of a server's certificate according to curl's messages.
    private static func fault(_ errors: String) -> CertificateFault {
        func says(_ texts: String...) -> Bool { texts.contains { errors.contains($0) } }
        if says("expired", "not yet valid", "not yet activated") { return .date }
        if says("subject name", "does not match", "host name", "hostname") { return .name }
        return .authority
    }
}
