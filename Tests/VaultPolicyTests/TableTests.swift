import Foundation
import Testing
import VaultPolicy

/// The table, row by row: what a person reads in Schemas/policy.md is what happens.
struct TableTests {
    private func verdict(_ act: Act, _ requester: Requester, rules: [Rule] = []) -> Verdict {
        Policy(owner: Case.owner, rules: rules).verdict(on: act, by: requester, time: 0, moment: 0)
    }

    @Test(arguments: Case.all) func `the row that a person finds decides`(sample: Case) throws {
        let row = try #require(Table.rows.first { $0.name == sample.row })
        let expected: Verdict =
            switch row.outcome {
            case .deny: .deny(.row(row.name))
            case .askEachTime, .askUnlessRule: .ask(.row(row.name), mayRemember: false)
            case .ask: .ask(.row(row.name), mayRemember: true)
            case .allow: .allow(.row(row.name))
            }
        #expect(verdict(sample.act, sample.requester) == expected)
    }

    @Test func `every row has an example and a name of its own`() {
        #expect(Set(Case.all.map(\.row)) == Set(Row.Name.allCases))
        #expect(Table.rows.map(\.name) == Row.Name.allCases)
    }

    @Test(arguments: Case.all) func `no rule that allows reaches what is asked each time or refused`(
        sample: Case
    ) throws {
        var rules = ActKind.allCases.map { kind in
            var rule = Rule(name: "all-\(kind.rawValue)", effect: .allow)
            rule.kind = kind
            return rule
        }
        var byProgram = Rule(name: "ssh", effect: .allow)
        byProgram.program = "/usr/bin/ssh"
        rules.append(byProgram)
        let row = try #require(Table.rows.first { $0.name == sample.row })
        let found = verdict(sample.act, sample.requester, rules: rules)
        switch row.outcome {
        case .deny: #expect(found == .deny(.row(row.name)))
        case .askEachTime: #expect(found == .ask(.row(row.name), mayRemember: false))
        case .ask, .askUnlessRule, .allow:
            guard case .allow = found else {
                Issue.record("a rule that allows did not allow: \(found)")
                return
            }
        }
    }

    @Test(arguments: Case.all) func `a rule that refuses reaches everything`(sample: Case) {
        var rule = Rule(name: "never", effect: .deny)
        rule.kind = sample.act.kind
        guard case .deny = verdict(sample.act, sample.requester, rules: [rule]) else {
            Issue.record("not refused")
            return
        }
    }

    @Test func `the page shows the table as it is`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Schemas/policy.md"), encoding: .utf8)
        #expect(page.contains(Table.markdown))
    }
}
