package bus

import "sync"

// EndpointStats are what the service's stats say of an endpoint, beside what the
// library counts: requests are answered behind its back, since they overlap.
type EndpointStats struct {
	Requests uint64 `json:"requests"` // that came
	Active   int64  `json:"active"`   // under way
	Refused  uint64 `json:"refused"`  // answered with an error
	Failed   uint64 `json:"failed"`   // of which the engine failed
	TotalUs  int64  `json:"totalUs"`  // that the answered ones took, in µs
}

// counts are kept by endpoint.
type counts struct {
	mu sync.Mutex // guards all
	by map[string]*EndpointStats
}

func (c *counts) note(endpoint string, change func(*EndpointStats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]*EndpointStats{}
	}
	s, ok := c.by[endpoint]
	if !ok {
		s = &EndpointStats{}
		c.by[endpoint] = s
	}
	change(s)
}

func (c *counts) of(endpoint string) EndpointStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.by[endpoint]; s != nil {
		return *s
	}
	return EndpointStats{}
}
