internal import AgentKit
