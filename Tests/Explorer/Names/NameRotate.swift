package import HSIP

/// A ROTATE as a name.
package struct NameRotate: RotateFacts, Hashable {
    package let rotateName: RotateName
    package let terms: Terms
    package var suite: Suite { rotateName.suite }

    package var parent: KeyName { rotateName.parent }
    package var epoch: UInt32 { parent.epoch + 1 }
    package var attempt: UInt16 { UInt16(rotateName.attempt) }
}
