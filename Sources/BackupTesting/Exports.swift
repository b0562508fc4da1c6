@_exported public import AppContainer
@_exported public import BackupScenarios
@_exported public import DeviceSimulation
