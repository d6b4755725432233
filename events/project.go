package events

// ProjectSensitiveResources replaces the list of what a project's sessions must
// not read without a person.
type ProjectSensitiveResources struct {
	Patterns []string `json:"patterns"`
	Unknown  Unknown  `json:",embed"`
}

// ProjectWriteSensitiveResources replaces the list of what a project's sessions
// must not write without a person.
type ProjectWriteSensitiveResources struct {
	Patterns []string `json:"patterns"`
	Unknown  Unknown  `json:",embed"`
}

// ProjectGrant is an "always" that a person gave for a project.
type ProjectGrant struct {
	GrantID string  `json:"grantId"`
	Tool    string  `json:"tool"`
	Pattern string  `json:"pattern"`
	By      string  `json:"by"`
	Unknown Unknown `json:",embed"`
}

// ProjectGrantRevoked takes a project's grant back.
type ProjectGrantRevoked struct {
	GrantID string  `json:"grantId"`
	By      string  `json:"by"`
	Unknown Unknown `json:",embed"`
}

// Type is "project/sensitive-resources".
func (ProjectSensitiveResources) Type() Type { return TypeProjectSensitiveResources }

// Type is "project/write-sensitive-resources".
func (ProjectWriteSensitiveResources) Type() Type { return TypeProjectWriteSensitiveResources }

// Type is "project/grant".
func (ProjectGrant) Type() Type { return TypeProjectGrant }

// Type is "project/grant-revoked".
func (ProjectGrantRevoked) Type() Type { return TypeProjectGrantRevoked }

func (e ProjectSensitiveResources) check() error      { return array("patterns", e.Patterns) }
func (e ProjectWriteSensitiveResources) check() error { return array("patterns", e.Patterns) }

func (e ProjectGrant) check() error {
	return firstError(nonEmpty("grantId", e.GrantID), nonEmpty("tool", e.Tool), nonEmpty("pattern", e.Pattern), nonEmpty("by", e.By))
}

func (e ProjectGrantRevoked) check() error {
	return firstError(nonEmpty("grantId", e.GrantID), nonEmpty("by", e.By))
}
