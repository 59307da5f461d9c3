// swift-tools-version: 6.2
import PackageDescription

/// A package outside of hsip-vault: it depends on it by URL and branch, as any other program does.
let package = Package(
    name: "outside",
    dependencies: [.package(url: Context.environment["HSIP_VAULT_URL"] ?? "", branch: "outside")],
    targets: [
        .executableTarget(
            name: "outside",
            dependencies: [.product(name: "VaultKit", package: "hsip-vault")]
        )
    ]
)
