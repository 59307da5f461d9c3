package import HSIP

/// An ACCEPT as the name of the keys that it makes.
package struct NameAccept: AcceptFacts, Hashable {
    package let rotateName: RotateName
    /// Tells apart two answers to one ROTATE.
    package let copy: UInt8
    package let terms: Terms
    package var suite: Suite { rotateName.suite }

    package var parent: KeyName { rotateName.parent }
    package var epoch: UInt32 { parent.epoch + 1 }
    /// The keys that it makes.
    package var key: KeyName { KeyName(rotateName, copy: copy) }
    /// Who made it: never the author of the ROTATE.
    package var author: Side { rotateName.author.other }
}
