package import System
internal import Text
internal import VaultCrypto

/// A log in etcd, accessed through its JSON gateway by one `curl` process for each request.
///
/// Entry n is the key `PREFIX/e/<n, 16 hex>`. `PREFIX/head` shows the newest position to people. One transaction
/// compares and writes, so it is *create if absent* for all entries together. Reads are linearizable.
package final class EtcdCarrier: LogCarrier {
    private let endpoints: [String]
    private let prefix: String
    private let call: CurlCall
    private let credentials: EtcdCredentials

    /// The time limit of one request, and of an operation with all its requests, in milliseconds.
    private static let callTime = 7_000
    private static let actSeconds = 8

    /// - Throws: `badAddress` for an address of another kind.
    package init(
        _ address: CarrierAddress,
        _ credentials: EtcdCredentials,
        runner: HelperRunner,
        signals: SignalWatch? = nil
    ) throws(CarrierError) {
        guard address.kind == .etcd else { throw .badAddress }
        endpoints = address.endpoints
        prefix = address.prefix
        call = CurlCall(runner: runner, credentials: credentials, signals: signals)
        self.credentials = credentials
    }

    package func range() throws(CarrierError) -> LogRange {
        try range(of: try ask("kv/range", Self.text(rangeOfAll), .look))
    }

    package func read(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        // A range that exceeds one response is read in smaller parts; every entry has at least one byte.
        var count = max(1, min(CarrierLimits.entriesRead, bytes))
        while true {
            do throws(CarrierError) {
                return try page(from: place, CarrierLimits.bytes(bytes), count: count)
            } catch .tooLarge {
                guard count > 1 else { throw .tooLarge }
                count /= 4
            }
        }
    }

    private func page(from place: UInt64, _ bytes: Int, count: Int) throws(CarrierError) -> LogPage {
        let entries: JSONValue = [
            "key": key(place), "range_end": .text(Self.base64("\(prefix)/e0")),
            "limit": .integer(Int64(count)),
        ]
        let answer = try ask(
            "kv/txn",
            Self.text([
                "success": [["request_range": rangeOfAll], ["request_range": entries]]
            ]),
            .page
        )
        let parts = answer["responses"]?.items ?? []
        guard parts.count == 2, let all = parts[0]["response_range"], let found = parts[1]["response_range"]
        else { throw .damaged(.unreadable) }
        let range = try self.range(of: all)
        guard range.contains(place) else { return LogPage(range) }
        var page: [[UInt8]] = []
        var room = bytes
        for (offset, pair) in (found["kvs"]?.items ?? []).enumerated() {
            let next = place + UInt64(offset)
            guard let found = self.place(of: pair) else { throw .damaged(foreign(pair)) }
            guard found == next else { throw .damaged(.missing(next)) }
            guard let value = pair["value"]?.text, let entry = StrictBase64.decode(Array(value.utf8)),
                !entry.isEmpty
            else { throw .damaged(foreign(pair)) }
            guard entry.count <= CarrierLimits.entry else { throw .tooLarge }
            guard page.isEmpty || entry.count <= room else { break }
            room -= entry.count
            page.append(entry)
        }
        guard !page.isEmpty else { throw .damaged(.missing(place)) }
        return LogPage(range, page)
    }

    package func latest(from place: UInt64, bytes: Int) throws(CarrierError) -> LogPage {
        // Each page of entries also returns the range.
        try read(from: place, bytes: bytes)
    }

    package func create(_ entries: [[UInt8]], at place: UInt64) throws(CarrierError) -> CreateOutcome {
        try CarrierLimits.check(entries, at: place)
        // Position 1 requires an empty log; every other position requires the entry before it.
        let condition =
            place == 1
            ? Self.version(.text(Self.base64("\(prefix)/e/")), .text(Self.base64("\(prefix)/e0")), "EQUAL")
            : Self.version(key(place - 1), nil, "GREATER")
        var puts: [JSONValue] = []
        for (offset, entry) in entries.enumerated() {
            puts.append(["request_put": ["key": key(place + UInt64(offset)), "value": .base64(entry)]])
        }
        let newest = place + UInt64(entries.count - 1)
        puts.append([
            "request_put": [
                "key": .text(Self.base64("\(prefix)/head")), "value": .text(Self.base64(newest.placeName)),
            ]
        ])
        let request = try Self.text([
            "compare": [Self.version(key(place), nil, "EQUAL"), condition], "success": .list(puts),
            "failure": [
                ["request_range": rangeOfAll],
                ["request_range": ["key": key(place)]],
            ],
        ])
        let answer: JSONValue
        do throws(CarrierError) {
            answer = try ask("kv/txn", request, .write)
        } catch {
            // It is unknown whether the entry was written.
            guard [.unreachable, .noMajority].contains(error), !wasCertainlyUnsent else { throw error }
            return .unknown
        }
        if case .bool(true)? = answer["succeeded"] { return .created }
        let parts = answer["responses"]?.items ?? []
        guard parts.count == 2, let all = parts[0]["response_range"], let found = parts[1]["response_range"]
        else { throw .damaged(.unreadable) }
        // An earlier attempt whose response was lost had written it.
        let kept = found["kvs"]?.items.first?["value"]?.text
        if let kept, let first = entries.first, kept == StrictBase64.encode(first) { return .created }
        guard try range(of: all).newest >= place else { throw .gap }
        return .taken
    }

    package func trim(below place: UInt64) throws(CarrierError) -> TrimOutcome {
        let request = try Self.text([
            "compare": [Self.version(key(place), nil, "GREATER")],
            "success": [
                [
                    "request_delete_range": [
                        "key": .text(Self.base64("\(prefix)/e/")), "range_end": key(place),
                    ]
                ]
            ],
        ])
        do throws(CarrierError) {
            guard case .bool(true)? = try ask("kv/txn", request, .write)["succeeded"] else {
                throw .gap
            }
            return .done
        } catch .refused {
            return .refused
        }
    }

    // Keys and answers

    private func key(_ place: UInt64) -> JSONValue { .text(Self.base64("\(prefix)/e/\(place.placeName)")) }

    /// The first key and the number of keys; positions have no gaps.
    private var rangeOfAll: JSONValue {
        [
            "key": .text(Self.base64("\(prefix)/e/")), "range_end": .text(Self.base64("\(prefix)/e0")),
            "limit": 1, "keys_only": true,
        ]
    }

    private static func version(_ key: JSONValue, _ end: JSONValue?, _ result: JSONValue) -> JSONValue {
        var condition: JSONValue = ["key": key, "target": "VERSION", "result": result, "version": "0"]
        if let end { condition["range_end"] = end }
        return condition
    }

    private func range(of answer: JSONValue) throws(CarrierError) -> LogRange {
        let count = answer["count"]?.text.flatMap { UInt64($0) } ?? 0
        guard count > 0 else { return .empty }
        guard let first = answer["kvs"]?.items.first, count <= UInt64(CarrierLimits.places)
        else { throw .damaged(.unreadable) }
        guard let oldest = self.place(of: first) else { throw .damaged(foreign(first)) }
        return LogRange(oldest: oldest, newest: oldest + count - 1)
    }

    private func place(of pair: JSONValue) -> UInt64? {
        guard let key = self.key(of: pair), key.count == prefix.utf8.count + 19 else { return nil }
        return UInt64(placeName: String(decoding: key.suffix(16), as: UTF8.self))
    }

    /// Returns a key that is not an entry's key, or whose value is not an entry.
    private func foreign(_ pair: JSONValue) -> LogDamage {
        key(of: pair).map { .foreign(String(decoding: $0, as: UTF8.self)) } ?? .unreadable
    }

    private func key(of pair: JSONValue) -> [UInt8]? {
        pair["key"]?.text.flatMap { StrictBase64.decode(Array($0.utf8)) }
    }

    private static func base64(_ text: String) -> String { StrictBase64.encode(Array(text.utf8)) }

    private static func text(_ value: JSONValue) throws(CarrierError) -> [UInt8] {
        do {
            return CurlCall.escaped(String(decoding: try value.bytes(), as: UTF8.self))
        } catch {
            throw .badAddress
        }
    }

    // Calls

    /// Whether no request of the last operation reached a server.
    private var wasCertainlyUnsent = true

    /// Sends a request to one server after the other until one responds.
    private func ask(_ name: String, _ body: [UInt8], _ kind: CallKind) throws(CarrierError) -> JSONValue {
        let deadline = Deadline(seconds: Self.actSeconds)
        wasCertainlyUnsent = true
        do throws(Refusal) {
            return try ask(name, body, deadline, kind)
        } catch {
            // The token expired, or the users changed: try once more with a new token.
            if case .carrier(let error) = error { throw error }
            credentials.token = nil
        }
        do throws(Refusal) {
            return try ask(name, body, deadline, kind)
        } catch {
            if case .carrier(let error) = error { throw error }
            throw .refused
        }
    }

    private enum CallKind {
        case look, page, write
    }

    private enum Refusal: Error {
        case carrier(CarrierError)
        /// A new login is needed.
        case login
    }

    private func ask(
        _ name: String,
        _ body: [UInt8],
        _ deadline: Deadline,
        _ kind: CallKind
    ) throws(Refusal) -> JSONValue {
        if credentials.user != nil, credentials.token == nil { credentials.token = try login(deadline) }
        return try ask(name, .open(body), deadline, credentials.token, kind)
    }

    private func ask(
        _ name: String,
        _ body: CurlCall.Body,
        _ deadline: Deadline,
        _ token: Secret?,
        _ kind: CallKind
    ) throws(Refusal) -> JSONValue {
        var worst = CarrierError.unreachable
        for (number, endpoint) in endpoints.enumerated().shuffled() {
            let time = min(Self.callTime, Int(deadline.remaining))
            guard time > 0 else { break }
            let answer: CurlCall.Answer
            do throws(CarrierError) {
                answer = try call.post("\(endpoint)/v3/\(name)", body, token: token, milliseconds: time)
            } catch {
                throw .carrier(error)
            }
            if let failure = answer.failure {
                if case .badCertificate(let fault, _) = failure {
                    worst = .badCertificate(fault, server: number)
                } else if failure != .unreachable {
                    worst = failure
                }
                if kind == .write, answer.isSent {
                    wasCertainlyUnsent = false
                    throw .carrier(failure == .tooLarge ? .unreachable : failure)
                }
                // A slow page is read in smaller parts.
                if failure == .tooLarge || answer.isCutOff && kind == .page { throw .carrier(.tooLarge) }
                continue
            }
            let value = try? JSONValue(answer.body, JSONLimits(depth: 16, values: 4_096))
            if answer.status == 200, let value { return value }
            let refusal = Self.refusal(answer.status, value, answer.body)
            switch refusal {
            case nil: break
            case .carrier(.noMajority)?: worst = .noMajority
            case let refusal?: throw refusal
            }
            if kind == .write {
                wasCertainlyUnsent = false
                throw refusal ?? .carrier(.unreachable)
            }
        }
        throw .carrier(worst)
    }

    /// Returns the meaning of an etcd error; nil if another server may respond better.
    private static func refusal(_ status: Int, _ answer: JSONValue?, _ body: [UInt8]) -> Refusal? {
        // The gateway's own errors are plain text.
        let plain = String(decoding: body.prefix(1_024), as: UTF8.self)
        let text = answer?["error"]?.text ?? answer?["message"]?.text ?? plain
        if text.contains("CommonName") { return .carrier(.certificateHasName) }
        if status == 401 || text.contains("invalid auth token") || text.contains("revision of auth store") {
            return .login
        }
        if text.contains("no leader") || text.contains("request timed out") { return .carrier(.noMajority) }
        if text.contains("authentication is not enabled") { return .carrier(.loginsOff) }
        if text.contains("database space exceeded") { return .carrier(.full) }
        if text.contains("too large") || text.contains("too many operations") { return .carrier(.tooLarge) }
        let isRefused =
            status == 403 || text.contains("permission denied") || text.contains("authentication failed")
            || text.contains("user name is empty")
        return isRefused ? .carrier(.refused) : nil
    }

    private func login(_ deadline: Deadline) throws(Refusal) -> Secret {
        guard let user = credentials.user, let password = credentials.password else {
            throw .carrier(.refused)
        }
        let head = CurlCall.escaped("{\"name\":") + CurlCall.escaped(Self.json(user))
        let body: Secret
        do {
            // The password is escaped for JSON and then for the curl setting: twice, in locked memory.
            body = Secret(
                try SecretBytes.joined([
                    head, CurlCall.escaped(",\"password\":\""), try Self.escapedTwice(password),
                    CurlCall.escaped("\"}"),
                ])
            )
        } catch {
            throw .carrier(.outOfMemory)
        }
        let answer: JSONValue
        do throws(Refusal) {
            answer = try ask("auth/authenticate", .secret(body), deadline, nil, .look)
        } catch {
            if case .login = error { throw .carrier(.refused) }
            throw error
        }
        // The token becomes part of a header, so it must be one word.
        guard let text = answer["token"]?.text, !text.isEmpty, text.utf8.count <= 4_096,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { throw .carrier(.damaged(.unreadable)) }
        do {
            return try Secret(copying: Array(text.utf8))
        } catch {
            throw .carrier(.outOfMemory)
        }
    }

    /// Quotes and backslashes have the same escapes in a curl setting and in JSON; user names need no others.
    private static func json(_ text: String) -> String {
        CurlCall.quoted(text)
    }

    /// Escapes a password for a JSON string within the quotes of a curl setting.
    private static func escapedTwice(_ password: Secret) throws(CryptoError) -> Secret {
        let isSign: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        let signs = password.withBytes { span in (0..<span.byteCount).count { isSign(span.byte(at: $0)) } }
        return Secret(
            try SecretBytes(count: password.count + 3 * signs) { target in
                password.withBytes { span in
                    var place = 0
                    for offset in 0..<span.byteCount {
                        let byte = span.byte(at: offset)
                        // " is \" in JSON and \\\" in the setting; \ is \\ and \\\\.
                        for escape in isSign(byte) ? [0x5C, 0x5C, 0x5C, byte] : [byte] {
                            target.storeBytes(of: escape, toByteOffset: place, as: UInt8.self)
                            place += 1
                        }
                    }
                }
            }
        )
    }
}
