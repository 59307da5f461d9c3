package import RecordStore
internal import Text
package import VaultLifecycle

/// The texts of prompts for a device: its slot, and the cost of a wrong PIN.
package enum PINQuestion {
    /// Returns the prompt for the PIN of a slot, without a colon.
    ///
    /// With `hasOtherWay`, an empty answer selects the passphrase.
    package static func title(_ offer: HardwareOffer, hasOtherWay: Bool) -> String {
        let end = hasOtherWay ? ", or Enter for the passphrase" : ""
        guard let key = offer.key else {
            return title(slot: offer.slot.number, triesLeft: offer.triesLeft) + end
        }
        let left = offer.triesLeft.map { "; it accepts \($0) wrong ones" } ?? ""
        return "PIN of the security key \(name(key)) (slot \(offer.slot.number)\(left))\(end)"
    }

    /// Returns the prompt for the PIN of a TPM slot.
    package static func title(slot number: UInt32, triesLeft: UInt32?) -> String {
        "PIN of slot \(number)" + (triesLeft.map { " (the TPM accepts \($0) wrong ones)" } ?? "")
    }

    /// Returns the prompt for a touch.
    package static func touch(_ offer: HardwareOffer, hasOtherWay: Bool) -> String {
        let called = offer.key.map { " \(name($0))" } ?? ""
        return "Touch the security key\(called) (slot \(offer.slot.number))"
            + (hasOtherWay ? ", or press Enter for the passphrase." : ".")
    }

    /// Returns the name that the manufacturer gave the key.
    package static func name(_ key: KeyLook) -> String {
        "\"\(Display(isUTF8: true).cell(key.product, columns: 40))\""
    }
}
