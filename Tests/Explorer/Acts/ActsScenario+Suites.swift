internal import HSIP

extension ActsScenario {
    /// Two who paired with suite 01 renew, pair again with suite 01 and 02, and say of each other that the program is old.
    static var suites: ActsScenario {
        var scenario = ActsScenario("suites", [.offer: 1, .send: 1, .take: 2])
        (scenario.olderSuite, scenario.isBound, scenario.options) = (.one, false, [.one])
        scenario.bounds[0] = [.next: 1, .offer: 1, .send: 1, .take: 2, .say: 1]
        return scenario
    }

    /// Bob's program is older than suite 02, and is updated at any step or never.
    static var oldProgram: ActsScenario {
        var scenario = ActsScenario("old program", [.next: 1, .send: 1, .take: 2])
        (scenario.olderSuite, scenario.olds) = (.one, [1])
        scenario.bounds[0][.say] = 1
        return scenario
    }

    /// Two strangers, of whom Bob has such a program.
    static var oldStranger: ActsScenario {
        var scenario = ActsScenario("old stranger", [.offer: 1, .send: 1, .take: 2])
        (scenario.hasOlder, scenario.olds, scenario.options) = (false, [1], [.one])
        scenario.bounds[0][.say] = 1
        return scenario
    }

    /// A first renewal with suite 02, and a backup of Alice's that her program puts back at any step.
    static var carried: ActsScenario {
        var scenario = ActsScenario("carried restore", [.offer: 1, .send: 1, .take: 1])
        (scenario.olderSuite, scenario.isBound, scenario.options) = (.one, false, [.one])
        scenario.isCarried = true
        scenario.bounds[0] = [.next: 1, .send: 1, .take: 2, .restore: 2]
        return scenario
    }

    /// The same with little else.
    static var onlyCarried: ActsScenario {
        var scenario = carried
        scenario.bounds[0] = [.next: 1, .take: 2, .restore: 2]
        scenario.bounds[1] = [.offer: 1, .take: 1]
        return scenario
    }

    /// Two strangers pair by the small codes, one from the other's screen, and compare.
    static var inPerson: ActsScenario {
        var scenario = ActsScenario("in person", [.next: 1, .offer: 1, .take: 2, .say: 1])
        (scenario.hasOlder, scenario.options) = (false, [.inPerson])
        return scenario
    }

    /// Two strangers, of whose replies some are made wrong.
    static var faulty: ActsScenario {
        var scenario = ActsScenario("faulty replies", [.next: 1, .offer: 1, .send: 1, .take: 2])
        (scenario.hasOlder, scenario.faults) = (false, Fault.allCases)
        return scenario
    }

    /// Two strangers who do only a few things.
    static func strangers(
        _ alice: [Cost: UInt8],
        bob: [Cost: UInt8],
        options: [SuiteOption] = [],
        faults: [Fault] = []
    ) -> ActsScenario {
        var scenario = only("strangers", alice, bob: bob)
        (scenario.hasOlder, scenario.isBound) = (false, false)
        (scenario.options, scenario.faults) = (options, faults)
        return scenario
    }
}
