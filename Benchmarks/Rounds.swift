internal import Glibc

/// Measures things that are compared side by side, so that a busy machine slows all of them alike.
enum Rounds {
    /// Seconds of each work in each round; which comes first changes from round to round.
    ///
    /// One more round runs before the first one that counts.
    static func run(
        _ rounds: Int,
        _ works: [() throws -> Void],
        by time: (() throws -> Void) throws -> Double = { try seconds($0) }
    ) throws -> [[Double]] {
        var seconds = works.map { _ in [Double]() }
        for round in 0...rounds {
            for step in works.indices {
                let index = (step + round) % works.count
                let taken = try time(works[index])
                if round > 0 { seconds[index].append(taken) }
            }
        }
        return seconds
    }

    /// Runs of each program in each round; which comes first changes from round to round.
    ///
    /// One more round runs before the first one that counts.
    static func programs(_ rounds: Int, _ programs: [() throws -> Child.Run]) throws -> [ProgramRuns] {
        var runs = programs.map { _ in ProgramRuns() }
        for round in 0...rounds {
            for step in programs.indices {
                let index = (step + round) % programs.count
                let run = try programs[index]()
                if round > 0 { runs[index].add(run) }
            }
        }
        return runs
    }

    /// How long a work takes on the clock.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(work) / .seconds(1)
    }

    /// How long a work that waits for nothing keeps the processor busy: on a shared machine a long one is
    /// interrupted by the neighbours, and their time is not its own.
    static func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
        let start = processorTime
        try work()
        return processorTime - start
    }

    /// The same of a work that goes to an actor.
    static func processorSeconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = processorTime
        try await work()
        return processorTime - start
    }

    private static var processorTime: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How often a work fits into a twentieth of a second, at least once.
    static func repetitions(of work: () throws -> Void) rethrows -> Int {
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(50)
        var count = 0
        while clock.now < end {
            for _ in 0..<16 { try work() }
            count += 16
        }
        return max(1, count / 5)
    }

    /// The middle value.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2
            : middle < sorted.count ? sorted[middle] : last
    }

    /// The middle of the quotients of each round.
    static func ratio(_ over: [Double], _ under: [Double]) -> Double {
        median(zip(over, under).map { $0 / $1 })
    }
}
