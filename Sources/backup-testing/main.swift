print("backup-testing")
