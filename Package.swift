// swift-tools-version: 6.2
import PackageDescription

/// One set of compiler settings for every target: Swift 6, no unmarked unsafe code, no warnings.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A module: it may import the targets that it names here, and nothing else.
func module(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: imports, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: imports + ["Support"], exclude: exclude, swiftSettings: settings)
}

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let asn1 = Target.Dependency.product(name: "SwiftASN1", package: "swift-asn1")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "hsip-vault",
    products: [
        // With every module that its public API mentions, and both stores.
        .library(
            name: "VaultKit",
            targets: [
                "VaultKit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats",
                "VaultPolicy", "Credentials", "TextCipher", "Audit", "SharedLog", "VaultCrypto",
            ]
        ),
        .library(name: "HSIP", targets: ["HSIP"]),
        .executable(name: "hsip", targets: ["hsip"]),
        .executable(name: "hsip-agent", targets: ["hsip-agent"]),
        .executable(name: "hsip-secrets", targets: ["hsip-secrets"]),
        // libhsip.so.1; its product cannot be called hsip, as the program is.
        .library(name: "LibHSIP", type: .dynamic, targets: ["LibHSIP"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    ],
    targets: [
        // 0: module maps and headers, no Swift
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CHSIP"),
        .target(name: "CLinux"),
        .target(name: "CSecretLoader", dependencies: ["CSecret"]),
        .target(name: "CPictureLoader"),
        .target(name: "CFIDOLoader"),
        .target(name: "CTSSLoader"),
        .target(name: "CBcrypt", dependencies: ["CSodium"]),
        .target(name: "CBLAKE3"),
        // 1: secret memory and primitives
        module("VaultCrypto", ["CSodium", "CBLAKE3"]),
        module("SafeText", ["VaultCrypto"]),
        // The only way to a file by its name: opened without waiting, locked, put in its place whole
        module("Files", ["VaultCrypto", "CLinux"]),
        module("JSON", ["SafeText", "VaultCrypto"]),
        // 2: pure
        module("VaultPolicy", []),
        module("HSIP", ["VaultCrypto"]),
        module("RecordStore", ["SafeText", "VaultCrypto"]),
        module("ImportFormats", ["JSON", "VaultCrypto"]),
        module("Credentials", ["SafeText", "VaultCrypto", crypto]),
        module("Exports", ["VaultCrypto"]),
        module("Shares", ["VaultCrypto"]),
        module("SharedLog", ["VaultCrypto"]),
        module(
            "ServiceFormats",
            ["VaultPolicy", "RecordStore", "Credentials", "VaultCrypto", crypto, cryptoExtras]
        ),
        module("SSHFormats", ["VaultCrypto", "CBcrypt", crypto, cryptoExtras, asn1]),
        module("TextCipher", ["SSHFormats", "SafeText", "VaultCrypto", crypto, cryptoExtras]),
        module("CallFormat", ["VaultCrypto"]),
        // 3: adapters, and the files beside a vault
        module("LocalState", ["Files", "RecordStore", "VaultCrypto", "CLinux"]),
        module(
            "FileStore",
            ["Files", "LocalState", "RecordStore", "SafeText", "VaultCrypto", "CLinux", "CSQLite"]
        ),
        module("SecretServiceStore", ["Files", "LocalState", "RecordStore", "VaultCrypto", "CSecretLoader"]),
        module("Hardware", ["VaultCrypto", "CFIDOLoader", "CTSSLoader"]),
        module("Audit", ["Files", "LocalState", "RecordStore", "VaultPolicy", "SSHFormats", "VaultCrypto"]),
        // 4: the one actor
        module(
            "VaultKit",
            [
                "Audit", "CallFormat", "VaultPolicy", "ServiceFormats", "RecordStore", "HSIP", "TextCipher",
                "SSHFormats", "SharedLog", "Credentials", "VaultCrypto", "CLinux",
            ]
        ),
        // 5: talking to people, starting programs, finding the vault, the agent
        module("MessageBus", ["CSystemd"]),
        module("Programs", ["Files", "VaultCrypto", "CLinux"]),
        // Reaches the network through git and curl, so it imports nothing that could hold a key.
        module("LogCarriers", ["Programs", "JSON", "VaultCrypto", "CLinux"]),
        module(
            "VaultLifecycle",
            [
                "Files", "Programs", "JSON", "SafeText", "VaultKit", "FileStore", "SecretServiceStore",
                "LocalState",
                "RecordStore", "Shares", "Credentials", "VaultCrypto", "CLinux",
            ]
        ),
        module(
            "Presentation",
            [
                "VaultLifecycle", "Programs", "JSON", "SafeText", "VaultKit", "Audit", "VaultPolicy", "HSIP",
                "SSHFormats", "RecordStore", "Shares", "Credentials", "TextCipher", "SharedLog",
                "VaultCrypto",
            ]
        ),
        module(
            "Console",
            [
                "Files", "Presentation", "Programs", "SafeText", "Credentials", "VaultCrypto",
                "CPictureLoader",
                "CLinux",
            ]
        ),
        module(
            "AgentProtocol",
            [
                "Files", "Presentation", "JSON", "VaultKit", "VaultPolicy", "HSIP", "RecordStore",
                "SSHFormats",
                "VaultCrypto", "CLinux",
            ]
        ),
        module(
            "AgentKit",
            [
                "Files", "AgentProtocol", "Presentation", "Programs", "SafeText", "VaultKit", "Audit",
                "VaultPolicy",
                "LocalState", "HSIP", "RecordStore", "SSHFormats", "VaultCrypto", "MessageBus", "CLinux",
                "CSystemd",
            ]
        ),
        module(
            "ServiceKit",
            [
                "Files", "AgentProtocol", "MessageBus", "VaultKit", "ServiceFormats", "RecordStore",
                "VaultCrypto",
                "Presentation", "Programs", "JSON", "CLinux",
            ]
        ),
        // 6: parts of the command line that can be read alone
        module(
            "VaultDoctor",
            [
                "SystemSetup", "AgentProtocol", "Console", "Presentation", "VaultLifecycle", "Programs",
                "SafeText", "VaultPolicy", "VaultKit", "FileStore", "SecretServiceStore", "RecordStore",
                "HSIP",
                "SSHFormats", "Credentials", "VaultCrypto", "CLinux",
            ]
        ),
        module(
            "SystemSetup",
            [
                "Files", "AgentProtocol", "Console", "Presentation", "VaultLifecycle", "Programs",
                "SSHFormats",
                "Credentials", "FileStore", "JSON", "VaultCrypto", "CLinux",
            ]
        ),
        module(
            "VaultTransfer",
            [
                "Console", "Presentation", "Programs", "SafeText", "VaultKit", "VaultLifecycle",
                "SecretServiceStore", "ServiceFormats", "RecordStore", "SSHFormats", "Credentials",
                "ImportFormats", "Exports", "VaultCrypto",
            ]
        ),
        // The commands of hsip by feature, above what they share
        module(
            "CommandKit",
            [
                "AgentProtocol", "Presentation", "VaultLifecycle", "VaultPolicy", "Console", "Programs",
                "SafeText", "VaultKit", "Audit", "FileStore", "SecretServiceStore", "RecordStore", "Shares",
                "Credentials", "VaultCrypto", "CLinux", arguments,
            ]
        ),
        module(
            "PeopleCommands",
            [
                "CommandKit", "AgentProtocol", "Presentation", "VaultLifecycle", "LogCarriers", "LocalState",
                "Console", "Programs", "SafeText", "VaultKit", "FileStore", "RecordStore", "HSIP",
                "SharedLog", "SSHFormats", "TextCipher", "Credentials", "VaultCrypto", arguments,
            ]
        ),
        module(
            "SSHCommands",
            [
                "Files", "CommandKit", "AgentProtocol", "Presentation", "SystemSetup", "VaultLifecycle",
                "Console",
                "Programs", "SafeText", "VaultKit", "FileStore", "RecordStore", "SSHFormats", "VaultCrypto",
                "CLinux", arguments,
            ]
        ),
        module(
            "SecretCommands",
            [
                "Files", "CommandKit", "Presentation", "VaultLifecycle", "Console", "Programs", "SafeText",
                "VaultKit", "VaultPolicy", "LocalState", "ServiceFormats", "RecordStore", "Credentials",
                "VaultCrypto", "CLinux", arguments,
            ]
        ),
        // 7: composition roots
        .executableTarget(
            name: "hsip",
            dependencies: [
                "Files", "SSHCommands", "SecretCommands", "PeopleCommands", "CommandKit", "AgentProtocol",
                "Presentation", "VaultDoctor", "SystemSetup", "VaultTransfer", "VaultLifecycle",
                "LogCarriers",
                "LocalState", "VaultPolicy", "Console", "Programs", "SafeText", "VaultKit", "Audit",
                "FileStore",
                "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats", "SharedLog", "Shares",
                "Credentials",
                "ImportFormats", "Exports", "VaultCrypto", "CLinux", arguments,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hsip-agent",
            dependencies: [
                "Files", "AgentKit", "AgentProtocol", "Presentation", "VaultLifecycle", "VaultPolicy",
                "Programs",
                "SafeText",
                "VaultKit",
                "FileStore", "SecretServiceStore", "LocalState", "RecordStore", "HSIP", "SSHFormats",
                "VaultCrypto", "CLinux",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hsip-secrets",
            dependencies: [
                "ServiceKit", "AgentKit", "AgentProtocol", "MessageBus", "Presentation", "VaultLifecycle",
                "FileStore", "Programs", "SafeText", "VaultCrypto", "CLinux",
            ],
            swiftSettings: settings
        ),
        // For programs in other languages: only what the header declares is seen from outside, and the library
        // stays where it is once it is loaded, as its threads do.
        .target(
            name: "LibHSIP",
            dependencies: [
                "CHSIP", "CLinux", "Presentation", "Credentials", "AgentProtocol", "VaultLifecycle",
                "Programs", "JSON", "SafeText", "VaultKit", "FileStore", "SecretServiceStore", "RecordStore",
                "HSIP",
                "SSHFormats", "VaultCrypto",
            ],
            exclude: ["exports.map"],
            swiftSettings: settings,
            linkerSettings: [
                .unsafeFlags(
                    [
                        "--version-script=\(Context.packageDirectory)/Sources/LibHSIP/exports.map",
                        "-soname=libhsip.so.1", "-z", "nodelete",
                    ].flatMap { ["-Xlinker", $0] } + ["-use-ld=lld"]
                ),
                // A program that loads it needs no Swift; --static-swift-stdlib is for programs only.
                .unsafeFlags(["-static-stdlib"], .when(configuration: .release)),
            ]
        ),
        // Benchmarks and tests
        .target(
            name: "CBareSecret",
            dependencies: ["CSecret"],
            path: "Benchmarks/CBareSecret",
            linkerSettings: ["secret-1", "gio-2.0", "gobject-2.0", "glib-2.0"].map { .linkedLibrary($0) }
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "VaultKit", "Audit", "FileStore", "SecretServiceStore", "RecordStore", "HSIP", "SSHFormats",
                "VaultCrypto", "CSodium", "CSQLite", "CBareSecret",
            ],
            path: "Benchmarks",
            exclude: ["README.md", "RESULTS.md", "CBareSecret"],
            swiftSettings: settings
        ),
        .target(
            name: "Support",
            dependencies: ["Programs", "VaultCrypto", "HSIP", "RecordStore", "SSHFormats", "CLinux"],
            path: "Tests/Support",
            exclude: ["prompter.py", "provider.py"],
            swiftSettings: settings
        ),
        .target(
            name: "KeyringFake",
            dependencies: ["SecretServiceStore", "RecordStore", "VaultCrypto"],
            path: "Tests/KeyringFake",
            swiftSettings: settings
        ),
        tests("VaultCryptoTests", ["VaultCrypto", "CBLAKE3"]),
        tests("FilesTests", ["Files", "VaultCrypto"]),
        .target(name: "CMemorySearch", path: "Tests/CMemorySearch"),
        .target(name: "CLoginFake", dependencies: ["CSystemd"], path: "Tests/CLoginFake"),
        .target(name: "CEmulatorLink", path: "Tests/CEmulatorLink"),
        tests(
            "HardwareTests",
            ["Hardware", "VaultCrypto", "CEmulatorLink"],
            exclude: ["authenticator.py"]
        ),
        tests("HSIPTests", ["HSIP", "Presentation", "VaultCrypto", "CMemorySearch"]),
        .target(
            name: "Explorer",
            dependencies: ["HSIP", "SharedLog", "VaultCrypto"],
            path: "Tests/Explorer",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "explore",
            dependencies: ["Explorer", arguments],
            path: "Tests/explore",
            swiftSettings: settings
        ),
        tests("ExplorerTests", ["Explorer", "HSIP"]),
        .target(
            name: "Fuzz",
            dependencies: [
                "SSHFormats", "ImportFormats", "JSON", "Credentials", "RecordStore", "ServiceFormats",
                "Exports",
                "HSIP", "Shares", "VaultCrypto",
            ],
            path: "Tests/Fuzz",
            swiftSettings: settings
        ),
        tests(
            "SSHFormatsTests",
            ["SSHFormats", "Credentials", "HSIP", "CBcrypt", "VaultCrypto", "CMemorySearch", "Fuzz"]
        ),
        tests("JSONTests", ["JSON", "VaultCrypto"]),
        tests("ImportFormatsTests", ["ImportFormats", "VaultCrypto"]),
        tests("ExportsTests", ["Exports", "VaultCrypto"]),
        tests("RecordStoreTests", ["RecordStore", "VaultCrypto"]),
        tests("CredentialsTests", ["Credentials", "VaultCrypto"]),
        tests(
            "FileStoreTests",
            ["Files", "FileStore", "LocalState", "RecordStore", "VaultCrypto", "CMemorySearch"]
        ),
        tests(
            "SecretServiceStoreTests",
            ["SecretServiceStore", "KeyringFake", "LocalState", "RecordStore", "VaultCrypto"]
        ),
        tests("SharesTests", ["Shares", "VaultCrypto"]),
        tests("SharedLogTests", ["SharedLog", "VaultCrypto"]),
        tests("ServiceFormatsTests", ["ServiceFormats", "VaultPolicy", "RecordStore", "VaultCrypto"]),
        tests("TextCipherTests", ["TextCipher", "VaultCrypto"]),
        tests("VaultPolicyTests", ["VaultPolicy"]),
        tests(
            "PresentationTests",
            [
                "Presentation", "VaultLifecycle", "Programs", "VaultKit", "Audit", "VaultPolicy", "HSIP",
                "SSHFormats", "RecordStore", "Credentials", "TextCipher", "VaultCrypto", "SharedLog",
            ]
        ),
        tests(
            "VaultLifecycleTests",
            [
                "VaultLifecycle", "Programs", "FileStore", "SecretServiceStore", "LocalState", "RecordStore",
                "ServiceFormats", "VaultKit", "VaultPolicy", "Audit", "JSON", "VaultCrypto",
            ]
        ),
        tests(
            "AgentProtocolTests",
            [
                "AgentProtocol", "VaultKit", "VaultPolicy", "HSIP", "RecordStore", "SSHFormats",
                "VaultCrypto", "CLinux",
            ]
        ),
        tests("MessageBusTests", ["MessageBus"]),
        tests(
            "LogCarriersTests",
            ["LogCarriers", "LocalState", "RecordStore", "Programs", "JSON", "VaultCrypto"]
        ),
        tests(
            "AgentKitTests",
            [
                "Files", "AgentKit", "AgentProtocol", "Programs", "SafeText", "ServiceFormats", "VaultKit",
                "Audit",
                "VaultPolicy", "HSIP",
                "RecordStore", "FileStore", "SSHFormats", "Credentials", "VaultCrypto", "CLinux",
                "CMemorySearch", "CLoginFake", "VaultDoctor",
            ]
        ),
        tests(
            "HsipAgentTests",
            [
                "hsip-agent", "AgentKit", "AgentProtocol", "VaultLifecycle", "VaultKit", "FileStore",
                "RecordStore", "SSHFormats", "VaultCrypto",
            ]
        ),
        tests(
            "ConsoleTests",
            [
                "Files", "Console", "Presentation", "Programs", "SafeText", "Credentials", "VaultCrypto",
                "CLinux",
            ]
        ),
        tests(
            "HsipTests",
            [
                "hsip", "SSHCommands", "SecretCommands", "CommandKit", "AgentProtocol", "VaultLifecycle",
                "Console", "Programs", "JSON", "SafeText", "VaultKit", "RecordStore", "SecretServiceStore",
                "SSHFormats", "Shares", "Credentials", "ImportFormats", "VaultCrypto", arguments,
                "Presentation", "ServiceFormats", "SystemSetup", "VaultTransfer",
            ]
        ),
        tests(
            "VaultKitTests",
            [
                "VaultKit", "Audit", "VaultPolicy", "ServiceFormats", "HSIP", "SSHFormats", "RecordStore",
                "FileStore", "SecretServiceStore", "KeyringFake", "TextCipher", "CallFormat", "Credentials",
                "SharedLog", "VaultCrypto",
            ]
        ),
    ]
)

// What works on secrets, files and calls is built for speed; the rest, which the programs alone have, to be small.
var quick: Set = [
    "VaultCrypto", "SafeText", "Files", "VaultPolicy", "HSIP", "RecordStore", "Credentials", "TextCipher",
    "SSHFormats", "ServiceFormats", "CallFormat", "SharedLog", "LocalState", "FileStore",
    "SecretServiceStore", "Audit",
    "VaultKit", "AgentProtocol", "AgentKit",
    "benchmarks",
]
// VaultKit leaves the computing to the modules below it, and this store waits for the keyring. They are built to be small only
// by Scripts/lib.sh: a package that has a flag for the compiler could not be used by another.
if Context.environment["HSIP_INSTALLED"] != nil { quick.subtract(["VaultKit", "SecretServiceStore"]) }
for target in package.targets where target.type != .test && !quick.contains(target.name) {
    target.swiftSettings = target.swiftSettings.map {
        $0 + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
    }
}
