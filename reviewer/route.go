package reviewer

// Route is a provider and model by which requests go out, as the settings have
// it. It holds no key, only where to find one.
type Route struct {
	Provider string
	Model    string
	BaseURL  string
	API      API
	// KeyEnv and KeyFile say where the key is: an environment variable or a file.
	// Both empty is a route without a key.
	KeyEnv, KeyFile string
	// ContextWindow is in tokens, 0 where it is not known.
	ContextWindow int64
	// NoTemperature leaves the temperature out; else it is 0.
	NoTemperature bool
	Limits        Limits
	// Reviews lets the route serve reviews: the agent, who chooses its own model,
	// does not choose its judge (design section 7).
	Reviews bool
}

// API is the protocol of a route.
type API string

// The protocols. The builtin one is spoken inside the process.
const (
	APICompletions API = "chat-completions"
	APIResponses   API = "responses"
	APIBuiltin     API = "builtin"
)

// Name is provider/model.
func (r Route) Name() string { return r.Provider + "/" + r.Model }

// RouteName is the name by which logs and people speak of the route.
func (r Route) RouteName() RouteName { return RouteName{Provider: r.Provider, Model: r.Model} }
