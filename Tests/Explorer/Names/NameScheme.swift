package import HSIP

/// The rotation rules over names instead of keys: perfect cryptography, small enough to visit every state.
///
/// A check fails exactly where the real one would: a MAC needs the parent's rotation key and the peer as
/// author, a new key needs the old chain and both one-time keys.
package enum NameScheme: RotationScheme {
    package typealias Keys = NameKeys
    package typealias Name = KeyName
    package typealias Ephemeral = UInt8
    package typealias Rotate = NameRotate
    package typealias Accept = NameAccept
    package typealias Party = NameParty

    package static func rotate(
        under keys: NameKeys,
        name: KeyName,
        epoch: UInt32,
        attempt: UInt16,
        suite: Suite,
        terms: Terms,
        party: NameParty
    ) throws(HSIPError) -> (NameRotate, UInt8) {
        guard keys.canCheck else { throw .lapsed }
        guard name == keys.name, epoch == name.epoch + 1 else { throw .malformed }
        let rotate = RotateName(
            parent: name,
            author: party.side,
            suite: suite,
            attempt: UInt8(attempt),
            copy: party.copy
        )
        return (NameRotate(rotateName: rotate, terms: terms), party.copy)
    }

    package static func verifies(
        _ rotate: NameRotate,
        under keys: NameKeys,
        party: NameParty
    ) throws(HSIPError) -> Bool {
        keys.canCheck && rotate.parent == keys.name && rotate.rotateName.author == party.side.other
    }

    package static func accept(
        _ rotate: NameRotate,
        under keys: NameKeys,
        terms: Terms,
        party: NameParty
    ) throws(HSIPError) -> (accept: NameAccept, keys: NameKeys, name: KeyName) {
        guard keys.canChain, rotate.parent == keys.name else { throw .lapsed }
        let accept = NameAccept(rotateName: rotate.rotateName, copy: party.copy, terms: terms)
        return (accept, NameKeys(accept.key), accept.key)
    }

    package static func finish(
        _ accept: NameAccept,
        of rotate: NameRotate,
        ephemeral: UInt8,
        under keys: NameKeys,
        party: NameParty
    ) throws(HSIPError) -> (keys: NameKeys, name: KeyName) {
        guard keys.canChain else { throw .lapsed }
        let isMine = rotate.rotateName.author == party.side && rotate.rotateName.copy == ephemeral
        guard isMine, accept.rotateName == rotate.rotateName, rotate.parent == keys.name else {
            throw .badSignature
        }
        return (NameKeys(accept.key), accept.key)
    }
}
