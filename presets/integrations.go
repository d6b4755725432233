package presets

import "github.com/docket-engine/docket/events"

// Integration is a review system as it is installed and removed: a name and the
// presets that come and go with it (design section 7).
type Integration struct {
	Name    string
	Presets []Preset
}

// The names of the shipped integrations.
const (
	IntegrationAuto          = "auto"
	IntegrationGuardian      = "guardian"
	IntegrationJudge         = "judge"
	IntegrationAutoWorkspace = "auto-workspace"
)

// AutoIntegration reviews every call before it runs without a sandbox (seeds 000
// and 001).
func AutoIntegration() Integration {
	return Integration{IntegrationAuto, []Preset{{
		Name: Auto, DisplayName: "Auto", Description: "No sandbox; a reviewer judges every call before it runs.",
		Bundle:   Bundle{events.ModeDangerFullAccess, events.PolicyAsk},
		Reviewer: IntegrationAuto, Reviews: ReviewsCalls, Experimental: true, Integration: IntegrationAuto,
	}}}
}

// GuardianIntegration answers approval requests in a person's stead, or leaves
// them to the person (seed 002).
func GuardianIntegration() Integration {
	ask := Bundle{events.ModeWorkspaceWrite, events.PolicyAsk}
	return Integration{IntegrationGuardian, []Preset{
		{
			Name: RequestApproval, DisplayName: "Ask for approval", Description: "Work in the session's folder; a person answers requests for more.",
			Bundle: ask, Integration: IntegrationGuardian,
		},
		{
			Name: ApproveForMe, DisplayName: "Approve for me", Description: "Work in the session's folder; the Guardian answers requests for more.",
			Bundle: ask, Reviewer: IntegrationGuardian, Reviews: ReviewsRequests, Integration: IntegrationGuardian,
		},
	}}
}

// JudgeIntegration judges calls and escalates what it does not allow (seed 003).
func JudgeIntegration() Integration {
	return Integration{IntegrationJudge, []Preset{{
		Name: AIAuto, DisplayName: "AI auto-approve", Description: "Work in the session's folder; a judge allows, denies or asks a person.",
		Bundle:   Bundle{events.ModeWorkspaceWrite, events.PolicyAsk},
		Reviewer: IntegrationJudge, Reviews: ReviewsCalls, Integration: IntegrationJudge,
	}}}
}

// AutoWorkspaceIntegration has a guard, finds effects and classifies (seed 004).
func AutoWorkspaceIntegration() Integration {
	return Integration{IntegrationAutoWorkspace, []Preset{{
		Name: AutoWorkspace, DisplayName: "Auto workspace", Description: "Work in the session's folder; a guard and a classifier look at every call.",
		Bundle:   Bundle{events.ModeWorkspaceWrite, events.PolicyAsk},
		Reviewer: IntegrationAutoWorkspace, Reviews: ReviewsCalls, Guard: true, Integration: IntegrationAutoWorkspace,
	}}}
}

// Integrations are the four that are shipped. None is installed by default.
func Integrations() []Integration {
	return []Integration{AutoIntegration(), GuardianIntegration(), JudgeIntegration(), AutoWorkspaceIntegration()}
}

// integrationOf is the shipped integration that a preset belongs to, "" for none.
func integrationOf(preset string) string {
	for _, i := range Integrations() {
		for _, p := range i.Presets {
			if p.Name == preset {
				return i.Name
			}
		}
	}
	return ""
}
