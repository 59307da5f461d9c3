package import SharedLog

/// The shortest known way to what a mistake does, as a list of steps.
package struct MachinesScript: Sendable {
    /// The mistake.
    package let mistake: MachinesMistake
    /// The promise that it breaks.
    package let flaw: MachinesFlaw
    let machines: Int
    let withLast: Bool
    let steps: [MachinesStep]

    /// Walks it with the mistake or without.
    ///
    /// - Throws: an error of the log, if a log cannot even be founded.
    package func walked(withMistake: Bool) throws(LogError) -> MachinesFlaw? {
        var world = try MachinesWorld(
            machines: machines,
            withLast: withLast,
            mistake: withMistake ? mistake : nil
        )
        for step in steps { world.perform(step) }
        world.settle()
        return world.flaw
    }

    /// One for each mistake.
    package static let all: [MachinesScript] = [
        script(
            .forgetsAnchor,
            .wroteBelowAnchor,
            [.backup(0)] + change(0) + [.restore(0), edit(0), .write(0)]
        ),
        script(
            .signsAgain,
            .signedTwice,
            [edit(0), .write(0), .send(1), edit(1), .write(1), .send(1), .send(0), edit(0), .write(0)]
        ),
        script(.mergesOwn, .changeLost, [edit(0), .write(0), edit(0), .send(0), .read(0)]),
        script(
            .wholeRecords,
            .changeLost,
            change(0) + [.read(1), .edit(1, record: 0, field: 1)] + change(0) + [.read(1)]
        ),
        script(
            .admitsEarly,
            .stuck,
            [.compact(0), .send(0), .read(0), .admit(0), .send(0), .read(0), .admit(0), .read(1), .read(1)]
                + [.compact(1)] + Array(repeating: [.send(1), .read(1), .write(1)], count: 4).joined(),
            machines: 3,
            withLast: false
        ),
        script(.keepsKeys, .notWiped, change(0) + compaction(0)),
        script(
            .trimsEarly,
            .stuck,
            [.backup(0)] + change(0) + [.compact(0), .send(0), .read(0), .trim(0), .restore(0)]
        ),
        script(
            .forgetsChain,
            .stuck,
            change(0) + compaction(0) + [.trim(0), .read(1)] + compaction(1) + [.trim(1)] + [.read(2)],
            machines: 3
        ),
        script(
            .noCertificates,
            .forgedTaken,
            [.read(1)] + removal(0, 1) + Array(repeating: .read(2), count: 3) + [.forge(2)],
            machines: 3
        ),
        script(
            .anchorInList,
            .forgedTaken,
            removal(0, 1) + [.admit(0), .send(0), .read(0), .admit(0), .forge(2)],
            machines: 3,
            withLast: false
        ),
        script(
            .indexWhenSent,
            .changeLost,
            [edit(0), .write(0), edit(1), .write(1), .send(1), .send(0), .read(0)]
        ),
        script(
            .overwrites,
            .changeLost,
            change(0) + [.read(1), .edit(1, record: 0, field: 1), .edit(0, record: 1, field: 0), .write(0)]
                + [.send(0), .read(0)] + compaction(0) + [.trim(0), .read(1)]
        ),
        script(
            .writesBehindRemoval,
            .removedReads,
            [.remove(0, 1), .sendPart(0), .read(2), edit(2), .write(2), .send(2)],
            machines: 3
        ),
        script(
            .forgetsLoss,
            .changeLost,
            [edit(0), edit(1), .write(1), .send(1), .read(0), .read(1)]
        ),
        script(
            .deletesChanges,
            .changeLost,
            change(0) + [.read(1), .edit(1, record: 0, field: 1), .delete(0, record: 0), .write(0), .send(0)]
        ),
        script(
            .keepsName,
            .statesDiffer,
            [edit(0), .rename(0, record: 0), .write(0), .send(0), .edit(1, record: 1, field: 0)]
                + [.rename(1, record: 1)]
        ),
    ]

    private static func script(
        _ mistake: MachinesMistake,
        _ flaw: MachinesFlaw,
        _ steps: [MachinesStep],
        machines: Int = 2,
        withLast: Bool = true
    ) -> MachinesScript {
        MachinesScript(mistake: mistake, flaw: flaw, machines: machines, withLast: withLast, steps: steps)
    }

    private static func edit(_ who: Int) -> MachinesStep { .edit(who, record: 0, field: 0) }

    private static func change(_ who: Int) -> [MachinesStep] {
        [edit(who), .write(who), .send(who), .read(who)]
    }

    private static func removal(_ who: Int, _ other: Int) -> [MachinesStep] {
        [.remove(who, other), .send(who), .read(who), .read(who)]
    }

    /// A compaction with two parts.
    private static func compaction(_ who: Int) -> [MachinesStep] {
        [.compact(who)] + Array(repeating: [.send(who), .read(who), .write(who)], count: 4).joined()
    }
}
