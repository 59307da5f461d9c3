internal import Explorer
internal import Testing

/// Machines that share a log, over a server that shows whatever it likes.
@Suite struct MachinesExplorerTests {
    @Test(arguments: 1...12) func `no order of events breaks a promise, and all come to one state`(
        seed: UInt64
    ) throws {
        let walk = try MachinesWalk(seed: seed, length: 40, isHostile: false)
        #expect(walk.world.flaw == nil, "\(walk.steps.map(\.description).joined(separator: " "))")
    }

    @Test(arguments: 101...110) func `a server that shows anything it ever had breaks no promise`(
        seed: UInt64
    ) throws {
        let walk = try MachinesWalk(seed: seed, length: 40, isHostile: true)
        #expect(walk.world.flaw == nil, "\(walk.steps.map(\.description).joined(separator: " "))")
    }

    @Test func `every order of two edits that race is sound, and ends in one state`() throws {
        var model = try MachinesModel(machines: 2, edits: 1)
        let graph = try Graph(walking: &model, maximumStates: 150)
        #expect(graph.flaw == nil, "\(graph.flaw.map { graph.trace(to: $0.state) } ?? [])")
        #expect(graph.states.count > 20)
        for (number, state) in graph.states.enumerated() where number.isMultiple(of: 9) {
            var world = state.world
            world.settle()
            #expect(world.flaw == nil, "\(graph.trace(to: number))")
        }
    }

    @Test(arguments: MachinesScript.all)
    func `a mistake is found by the promise that it breaks, and nothing is found without it`(
        script: MachinesScript
    ) throws {
        #expect(try script.walked(withMistake: true) == script.flaw)
        #expect(try script.walked(withMistake: false) == nil)
    }

    @Test func `there is a way to every mistake`() {
        #expect(Set(MachinesScript.all.map(\.mistake)) == Set(MachinesMistake.allCases))
    }
}
