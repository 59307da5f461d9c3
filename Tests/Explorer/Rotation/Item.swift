/// Something that may be on its way: shown or sent once, it can be delivered never, once or many times, to
/// anyone.
package enum Item: Hashable, Sendable {
    case rotate(RotateName)
    /// An ACCEPT, named by the keys that it makes.
    case accept(KeyName)
    /// At least one message of a side under a key. More of them are no different: a machine that has opened
    /// one gains nothing by a second.
    case message(from: Side, under: KeyName)
}
