package bus

// RefuseRequests is the first step of Shutdown alone, so that a test can make
// requests while it lasts.
func (s *Service) RefuseRequests() { s.close() }
