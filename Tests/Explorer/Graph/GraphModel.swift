/// Something with states and steps between them, to be walked exhaustively.
package protocol GraphModel {
    /// One state; equal states are visited once.
    associatedtype State: Hashable
    /// What leads from one state to another, for printing a trace.
    associatedtype Step
    /// What may be wrong with a state.
    associatedtype Flaw

    /// Where the walk begins.
    var initial: State { get }

    /// Appends every step out of a state; steps that change nothing are left out.
    ///
    /// - Throws: `ExplorerError` if the bounds are wider than the names of this model.
    mutating func expand(
        _ state: State,
        into steps: inout [(step: Step, state: State)]
    ) throws(ExplorerError)

    /// The first promise that a state breaks; nil if it keeps all of them.
    func flaw(in state: State) -> Flaw?
}
