@_exported public import BackupContainer
@_exported public import BackupDevice
@_exported public import BackupDiagnostics
@_exported public import BackupFileTree
@_exported public import BackupRules
@_exported public import BackupScenarios
@_exported public import BackupVerdicts
