/// What the runs of one program took, round by round.
struct ProgramRuns {
    private var seconds: [Double] = []
    private var processor: [Double] = []

    mutating func add(_ run: Child.Run) {
        seconds.append(run.seconds)
        processor.append(run.processor)
    }

    /// The middle of the times by the clock, and in brackets those of the processor.
    ///
    /// Where the two lie far apart the machine had other things to do.
    var text: String {
        "\(Format.time(Rounds.median(seconds))) (\(Format.time(Rounds.median(processor))))"
    }

    /// The quotient of the middles of the times by the clock.
    func ratio(to other: ProgramRuns) -> Double {
        Rounds.median(seconds) / Rounds.median(other.seconds)
    }
}
