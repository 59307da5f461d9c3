internal import Explorer
internal import Testing

/// The walk itself, over a model small enough to check by hand.
@Suite struct GraphTests {
    /// Numbers from 1: doubling or adding three, up to a bound; one number may be declared wrong.
    struct Counting: GraphModel {
        let bound: Int
        var wrong: Int?
        let initial = 1

        mutating func expand(
            _ state: Int,
            into steps: inout [(step: String, state: Int)]
        ) throws(ExplorerError) {
            for (step, next) in [("double", state * 2), ("add", state + 3)] where next <= bound {
                steps.append((step, next))
            }
        }

        func flaw(in state: Int) -> Int? { state == wrong ? state : nil }
    }

    @Test func `every state is found once, the nearest first`() throws {
        var model = Counting(bound: 10)
        let graph = try Graph(walking: &model)
        #expect(graph.states == [1, 2, 4, 5, 8, 7, 10])
        // 1: 2 4 · 2: 4 5 · 4: 8 7 · 5: 10 8 · 8: none · 7: 10 · 10: none
        #expect(graph.stepCount == 9)
        #expect(graph.flaw == nil)
    }

    @Test func `a trace is a shortest way`() throws {
        var model = Counting(bound: 10, wrong: 7)
        let graph = try Graph(walking: &model)
        let found = try #require(graph.flaw)
        #expect(found.flaw == 7)
        #expect(graph.trace(to: found.state) == ["add", "add"])
    }

    @Test func `a walk that stops at a flaw still answers about what it has seen`() throws {
        var model = Counting(bound: 1000, wrong: 4)
        let graph = try Graph(walking: &model)
        #expect(graph.states.count < 10)
        #expect(graph.reaching { $0 == 4 }.first == true)
    }

    @Test func `only states with a way to the goal reach it`() throws {
        var model = Counting(bound: 10)
        let graph = try Graph(walking: &model)
        let reaching = graph.reaching { $0 == 10 }
        let names = zip(graph.states, reaching).filter(\.1).map(\.0)
        #expect(names.sorted() == [1, 2, 4, 5, 7, 10])
    }
}
