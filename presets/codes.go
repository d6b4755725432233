package presets

// The codes of the refusals of this package. They are stable: programs branch on
// them.
const (
	// CodeUnknownPreset: no preset of this name is installed (reference 2).
	CodeUnknownPreset = "unknown-preset"
	// CodeReservedPreset: the name is custom, which is never a target, or a table
	// holds custom or auto (reference 2).
	CodeReservedPreset = "reserved-preset"
	// CodePresetAbsent: the session's recorded preset is not installed, so that the
	// session is not published (reference 2, design section 7).
	CodePresetAbsent = "preset-absent"
	// CodeDuplicatePreset: two presets have the same name.
	CodeDuplicatePreset = "duplicate-preset"
	// CodeBadPreset: a preset without a name, or with a mode or a policy that there
	// is none of.
	CodeBadPreset = "bad-preset"
	// CodeNotConfining: the executor has no mode by default, so that no preset's
	// mode means anything (reference 2).
	CodeNotConfining = "executor-not-confining"
	// CodeNoDefault: no default is configured, and what executor and policy compose
	// is no entry of the table (reference 2).
	CodeNoDefault = "no-default-preset"
	// CodeDefaultNotInTable: the default is no entry of the table; an integration's
	// preset cannot be one (reference 2).
	CodeDefaultNotInTable = "default-not-in-table"
	// CodeInstalled: the integration is installed already (reference 2).
	CodeInstalled = "integration-installed"
	// CodeNotInstalled: there is no such integration to remove.
	CodeNotInstalled = "integration-not-installed"
	// CodeClosing: the integration is being removed and admits nobody any more
	// (reference 5.7).
	CodeClosing = "integration-closing"
	// CodeBadMode and CodeBadPolicy: a value outside the closed list.
	CodeBadMode   = "bad-mode"
	CodeBadPolicy = "bad-policy"
	// CodeNoFallback: an integration is removed, and the table has no preset for its
	// sessions that is not wider.
	CodeNoFallback = "no-fallback-preset"
	// CodeIncomplete: a catalogue that was read lacks a part, so that a reader has
	// none (seed 000, "Process catalog").
	CodeIncomplete = "incomplete-catalogue"
)
