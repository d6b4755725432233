package events

import "strconv"

// Check reports, as a *[FieldError], why the append could not be read back as it
// is given: an id that is none, no records, a record that is not what its line
// says, a gap or an overlap, two formats. Whether it fits the log is the log's
// to say.
func (a Append) Check() error {
	if err := a.ID.Check(); err != nil {
		return err
	}
	if len(a.Records) == 0 {
		return fieldf("records", "must not be empty")
	}
	next := a.Next
	for i, r := range a.Records {
		field := "records." + strconv.Itoa(i)
		said, err := ParseRecord(r.Format, r.Line)
		switch {
		case err != nil:
			return within(field, err)
		case said.Seq != r.Seq || said.Count != r.Count:
			return fieldf(field, "must be what its line says: %d events from seq %d", said.Count, said.Seq)
		case r.Seq != next:
			return fieldf(field, "must be at seq %d, is at %d", next, r.Seq)
		case r.Format != a.Records[0].Format:
			return fieldf(field, "must have the format of the first one")
		}
		next = r.End()
	}
	return nil
}

// End is the seq behind the append's last event.
func (a Append) End() Seq {
	if len(a.Records) == 0 {
		return a.Next
	}
	return a.Records[len(a.Records)-1].End()
}
