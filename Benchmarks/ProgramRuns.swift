/// What the runs of one program took, round by round.
struct ProgramRuns {
    private var seconds: [Double] = []
    private var processor: [Double] = []

    mutating func add(_ run: Child.Run) {
        seconds.append(run.seconds)
        processor.append(run.processor)
    }

    /// The middle of the times of the processor, and in brackets of those by the clock.
    ///
    /// Where the two lie far apart the machine had other things to do.
    var text: String {
        "\(Format.time(Rounds.median(processor))) (\(Format.time(Rounds.median(seconds))))"
    }

    /// The middle of the quotients of the times of the processor.
    func ratio(to other: ProgramRuns) -> Double {
        Rounds.ratio(processor, other.processor)
    }
}
