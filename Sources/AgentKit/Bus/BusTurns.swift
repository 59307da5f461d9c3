internal import AgentProtocol

/// Which programs on the bus have a question asked now, and which calls wait for that.
struct BusTurns: Sendable {
    /// Programs whose question is asked at a time: the queue before the person has places left for everybody else.
    static let asking = 3
    /// Calls that wait for the turn of one program.
    static let waitingOfProgram = 4
    /// Calls that wait for a turn in all.
    static let waiting = 16

    private struct Waiter: Sendable {
        let program: String
        let signal: Cancellation
    }

    private var asking: Set<String> = []
    /// By when they came; while there is a turn to have, only calls of programs that have one.
    private var waiting: [Waiter] = []

    /// Takes a turn for a program, or a place among those that wait.
    ///
    /// - Parameters:
    ///   - program: its name.
    ///   - signal: what `giveBack` returns when the turn has come.
    /// - Returns: whether it has the turn at once.
    /// - Throws: `busy` where too many wait.
    mutating func take(_ program: String, _ signal: Cancellation) throws(Refusal) -> Bool {
        if asking.count < Self.asking, asking.insert(program).inserted { return true }
        guard waiting.count < Self.waiting,
            waiting.count(where: { $0.program == program }) < Self.waitingOfProgram
        else { throw .tooManyQuestions }
        waiting.append(Waiter(program: program, signal: signal))
        return false
    }

    /// Ends the turn of a program: another one that waits has it, else the next call of the same one.
    ///
    /// - Parameter program: its name.
    /// - Returns: whose turn it is now.
    mutating func giveBack(_ program: String) -> Cancellation? {
        let other = waiting.firstIndex { $0.program != program && !asking.contains($0.program) }
        asking.remove(program)
        guard let next = other ?? waiting.firstIndex(where: { $0.program == program }) else { return nil }
        let waiter = waiting.remove(at: next)
        asking.insert(waiter.program)
        return waiter.signal
    }

    /// Gives up a place among those that wait; false when it is no longer there, as its turn has come.
    mutating func leave(_ signal: Cancellation) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.signal === signal }) else { return false }
        waiting.remove(at: place)
        return true
    }
}
