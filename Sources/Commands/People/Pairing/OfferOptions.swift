internal import ArgumentParser
internal import HSIP
internal import Presentation
internal import Text

/// The options of a new code: how long it can be accepted, and how long and how often its keys may be used.
struct OfferOptions: ParsableArguments {
    @Flag(
        name: .customLong("in-person"),
        help: "For people who meet: valid for 15 minutes, small if possible."
    )
    var isInPerson = false

    @Option(
        help: ArgumentHelp(
            "How long the code can be accepted (24h; renewals 7d).",
            valueName: "span"
        )
    )
    var ttl: String?

    @Option(help: ArgumentHelp("How long the keys can be used, up to 30d (default: 7d).", valueName: "span"))
    var life: String?

    @Option(help: ArgumentHelp("How many messages each of you can write: 1 to 1000.", valueName: "number"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Keys of an offer: 02, or 01 for the contact's older program.",
            valueName: "01|02"
        ),
        transform: Suite.init(option:)
    )
    var suite: Suite?

    @Flag(name: .customLong("anonymous"), help: "Leave your name out of the code.")
    var isAnonymous = false

    /// The request for the vault.
    ///
    /// - Throws: a usage failure for a span or number out of range.
    func request() throws(Failure) -> OfferRequest {
        var request = OfferRequest(isAnonymous: isAnonymous, suite: suite, isInPerson: isInPerson)
        if isInPerson { request.ttlMinutes = Terms.inPersonTTLMinutes }
        if let ttl {
            request.ttlMinutes = try Self.span(
                ttl,
                option: "--ttl",
                unit: 60,
                maximum: CodeHeader.longestTTL,
                range: "1m to 7d"
            )
        }
        if let life {
            request.lifeHours = try Self.span(
                life,
                option: "--life",
                unit: 3_600,
                maximum: Terms.longestLifeHours,
                range: "1h to 30d"
            )
        }
        if let limit {
            guard let number = UInt16(exactly: limit), (1...Terms.highestLimit).contains(number) else {
                throw Failure.usage("--limit takes a number from 1 to 1000")
            }
            request.limit = number
        }
        return request
    }

    /// A span in whole units.
    static func span(
        _ text: String,
        option: String,
        unit: Int64,
        maximum: UInt16,
        range: String
    ) throws(Failure) -> UInt16 {
        guard let seconds = Durations.parse(text), seconds >= unit, seconds % unit == 0,
            let count = UInt16(exactly: seconds / unit), count <= maximum
        else {
            throw Failure.usage("\(option) takes a span from \(range), like 12h or 2d")
        }
        return count
    }
}

extension Suite {
    /// Reads a suite, 01 or 02, from an option.
    init(option: String) throws {
        guard let suite = ["01": Suite.one, "02": .two][option] else {
            throw ValidationError("--suite needs 01 or 02")
        }
        self = suite
    }
}
