internal import Explorer
internal import Testing

/// The rules of rotation, in every order that loss, repetition, reordering and crashes allow.
@Suite struct RotationExplorerTests {
    /// Bounds with the number of states they have; a change of the rules that adds or removes one is seen
    /// here.
    struct Walk: Sendable, CustomTestStringConvertible {
        let epochs: Int
        let attempts: Int
        let limit: Int
        var programs = Programs.new
        let states: Int
        var testDescription: String { "\(programs) \(epochs) / \(attempts) / \(limit)" }
    }

    static let walks = [
        Walk(epochs: 1, attempts: 1, limit: 1, states: 525),
        Walk(epochs: 1, attempts: 2, limit: 1, states: 8341),
        Walk(epochs: 2, attempts: 1, limit: 1, states: 15_305),
        Walk(epochs: 2, attempts: 1, limit: 2, states: 51_497),
        Walk(epochs: 1, attempts: 2, limit: 1, programs: .oldPeer, states: 16_226),
        Walk(epochs: 1, attempts: 2, limit: 1, programs: .oldSelf, states: 18_640),
        Walk(epochs: 1, attempts: 2, limit: 1, programs: .marked, states: 8_553),
        Walk(epochs: 1, attempts: 1, limit: 1, programs: .updated, states: 3_240),
        Walk(epochs: 1, attempts: 1, limit: 1, programs: .mistaken, states: 2_100),
    ]

    @Test(arguments: walks)
    func `no order of events breaks a promise, and a later key is always within reach`(walk: Walk) throws {
        let bounds = try RotationBounds(
            epochs: walk.epochs,
            attempts: walk.attempts,
            limit: walk.limit,
            programs: walk.programs
        )
        let findings = try RotationFindings(bounds: bounds)
        #expect(findings.flaw == nil, "\(findings.flaw?.trace.joined(separator: " ") ?? "")")
        #expect(findings.stuck == 0, "\(findings.stuckTrace?.joined(separator: " ") ?? "")")
        #expect(findings.unrenewed == 0)
        #expect(findings.states == walk.states)
    }

    @Test(arguments: RotationMistake.allCases)
    func `a mistake in the rules is found within its smallest bounds`(mistake: RotationMistake) throws {
        let smallest = mistake.smallestBounds
        let bounds = try RotationBounds(
            epochs: smallest.epochs,
            attempts: smallest.attempts,
            limit: smallest.limit,
            programs: mistake.programs
        )
        let findings = try RotationFindings(bounds: bounds, mistake: mistake)
        let expected: (flaw: RotationFlaw?, steps: String) =
            switch mistake {
            case .eagerSwitch: (.notPrepared, "A.start(A1) B.accept(A1)")
            case .keepsOwnAttempt:
                (
                    .splitBrain,
                    "A.start(A1) B.accept(A1) B.start(B2) A.accept(B2) A.finish(A1) B.finish(B2)"
                )
            case .noRank:
                (.notPrepared, "A.start(A1) A.start(A2) B.accept(A2) A.finish(A2) B.accept(A1)")
            case .noPromotionByRotate: (nil, "A.start(A1) B.accept(A1) A.finish(A1) A.send(A1) lost")
            case .noFloor: (.lowered, "A.mark A.start(a1) B.accept(a1)")
            case .noMark, .markKeepsRotate: (nil, "A.start(A1)")
            case .plainTimer: (.unreadable, "A.start(A1) B.accept(A1) A.finish(A1) A.endGrace(0)")
            case .forgetsCount:
                (
                    .overLimit,
                    "A.start(A1) B.send(0) B.accept(A1) A.finish(A1) A.send(A1) B.send(A1) B.read(A1)"
                        + " B.send(A1)"
                )
            }
        #expect(!findings.isSound)
        #expect(findings.flaw?.flaw == expected.flaw)
        let trace = findings.flaw?.trace ?? findings.stuckTrace
        #expect(trace?.joined(separator: " ") == expected.steps)
    }

    @Test(arguments: RotationMistake.allCases)
    func `without its mistake the same walk finds nothing`(mistake: RotationMistake) throws {
        let smallest = mistake.smallestBounds
        let bounds = try RotationBounds(
            epochs: smallest.epochs,
            attempts: smallest.attempts,
            limit: smallest.limit,
            programs: mistake.programs
        )
        #expect(try RotationFindings(bounds: bounds).isSound)
    }

    @Test(arguments: [(5, 1, 1), (1, 0, 1), (1, 8, 1), (1, 1, 0), (1, 1, 1001), (-1, 1, 1)])
    func `bounds that names cannot carry are refused`(epochs: Int, attempts: Int, limit: Int) {
        #expect(throws: ExplorerError.outOfBounds) {
            try RotationBounds(epochs: epochs, attempts: attempts, limit: limit)
        }
    }

    @Test func `more codes than a state has room for end the walk instead of being confused`() throws {
        var items = ItemTable()
        for attempt in 0..<UInt8(ItemTable.capacity) {
            let parent = KeyName(
                RotateName(parent: .first, author: .a, attempt: 1 + attempt % 7, copy: attempt / 7 % 4),
                copy: attempt / 28 % 4
            )
            let side: Side = attempt < 112 ? .a : .b
            _ = try items.number(of: .message(from: side, under: parent))
        }
        #expect(throws: ExplorerError.tooManyNames) { try items.number(of: .accept(.first)) }
        #expect(try items.number(of: items.items[7]) == 7)
    }
}
