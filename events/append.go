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
		if err := a.checkRecord(r, next); err != nil {
			return within("records."+strconv.Itoa(i), err)
		}
		next = r.End()
	}
	return nil
}

func (a Append) checkRecord(r Record, next Seq) error {
	if r.known() == nil { // else it is what its line says
		said, err := ParseRecord(r.Format, r.Line)
		if err != nil {
			return err
		}
		if said.Seq != r.Seq || said.Count != r.Count {
			return fieldf(wholeValue, "must be what its line says: %d events from seq %d", said.Count, said.Seq)
		}
	}
	switch {
	case r.Seq != next:
		return fieldf(wholeValue, "must be at seq %d, is at %d", next, r.Seq)
	case r.Format != a.Records[0].Format:
		return fieldf(wholeValue, "must have the format of the first one")
	default:
		return nil
	}
}

// End is the seq behind the append's last event.
func (a Append) End() Seq {
	if len(a.Records) == 0 {
		return a.Next
	}
	return a.Records[len(a.Records)-1].End()
}
