// VaultKit
