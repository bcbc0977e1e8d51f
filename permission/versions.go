package permission

// Versions returns the versions of the specifications that define the signals, such as "RSL
// 1.0", for reports. [Reason.Version] is the version for one reason.
func Versions() []string {
	return []string{versionUsage, versionSignal, versionRSL, versionTDM, versionTag, versionBing, versionAmazon,
		versionApple, versionAI}
}
