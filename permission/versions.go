package permission

// Versions returns the versions of the texts that define the signals, such as "RSL 1.0", for
// reports. [Reason.Version] names that of one reason.
func Versions() []string {
	return []string{versionUsage, versionSignal, versionRSL, versionTDM, versionTag, versionBing, versionAmazon}
}
