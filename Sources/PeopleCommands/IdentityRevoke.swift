internal import ArgumentParser
internal import CommandKit
internal import Console
internal import HSIP
internal import Programs
internal import VaultKit

extension IdentityGroup {
    /// The notice that ends the identity.
    struct Revoke: Command {
        static let path = "identity revoke"
        static let configuration = CommandConfiguration(
            abstract: "Print the notice that ends your identity for good.",
            discussion: """
                The notice was made together with the identity and changes nothing here. Anyone who gives \
                it to your contacts ends the identity for them, so keep it like a key: on paper, in case \
                the vault is lost or stolen.

                  hsip identity revoke -o notice.png
                """
        )

        @OptionGroup var delivery: DeliveryOptions

        func run(_ context: Context) async throws {
            let notice = try await context.openVault().revocationNotice()
            guard
                try context.agrees("Anyone who has this notice can end your identity for good. Print it?")
            else { throw ConsoleError.refused }
            let delivered = try CodeDelivery(context, delivery.places).deliver(.revoke(notice))
            defer { delivered.end() }
            context.output.note(
                "nothing has ended yet; your identity ends for everyone who takes this notice"
            )
            try context.output.succeed(
                .code(.revoke(notice), contact: nil, isCached: true, delivered)
            )
        }
    }
}
