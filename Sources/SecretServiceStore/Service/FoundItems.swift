/// Items that a search found.
package struct FoundItems: Equatable, Sendable {
    /// Those whose secrets can be read.
    package var unlocked: [ItemPath]
    /// Those that must be unlocked first.
    package var locked: [ItemPath]

    package init(unlocked: [ItemPath] = [], locked: [ItemPath] = []) {
        self.unlocked = unlocked
        self.locked = locked
    }
}
