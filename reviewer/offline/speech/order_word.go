package speech

// tagOrder are the tags of the roles, those first that win where a phrase has several.
var tagOrder = []struct {
	role roles
	tag  byte
}{
	{oWithdraw, 'W'},
	{oRemark, 'R'},
	{oUseless, 'U'},
	{oUnneeded, 'N'},
	{oMayGo, 'G'},
	{oMay, 'M'},
	{oVerb, 'v'},
	{oDone, 'd'},
	{oNever, 'x'},
	{oKeep, 'K'},
	{oUnchanged, '='},
	{oAsk, 'L'},
	{oAskSoft, 'L'},
	{oPolite, 'E'},
	{oWish, 'w'},
	{oPronoun, 'i'},
	{oThing, 'n'},
	{oTakes, 'b'},
	{oMarks, 'm'},
	{oBecause, 'B'},
	{oAnd, '&'},
	{oActLink, 'k'},
	{oLink, 'q'},
	{oFiller, 'F'},
	{oLead, 'L'},
	{oTail, 'E'},
}

// word is the tag of a phrase of plain words. Where it may be several things, what
// stands before it tells.
func (o *orderer) word(it item, at int) byte {
	a := o.ask
	before := byte(0)
	if at > 0 {
		before = o.before(at)
	}
	if it.is(oVerb) && before == 'F' && it.is(oThing) {
		return 'n'
	}
	for _, c := range tagOrder {
		if !it.is(c.role) {
			continue
		}
		switch c.role {
		case oVerb, oDone:
			if it.is(oLead) && at == 0 && !it.acts.Meets(a.Acts) && o.nextVerb(at) {
				return 'L'
			}
			if it.acts.Meets(a.Acts) {
				return c.tag - 'a' + 'A'
			}
		case oRemark:
			if it.roles&^(oRemark|oBecause) != 0 && !o.alone(at) {
				continue
			}
		case oPronoun:
			if o.named(at) {
				return 'F'
			}
		case oAskSoft:
			if !o.polite() {
				continue
			}
		case oFiller:
			if it.is(oLead) && o.nextVerb(at) {
				return 'L'
			}
		case oActLink:
			if it.is(oTail) && o.lastOne(at) {
				return 'E'
			}
			if !it.acts.Meets(a.Acts) && !it.is(oLink) {
				continue
			}
		case oBecause:
			if !o.reason(at) {
				continue
			}
		case oWish:
			if it.is(oVerb|oLead) && !it.is(oWish) {
				continue
			}
		}
		return c.tag
	}
	return 0
}

// before is roughly what stands before an item.
func (o *orderer) before(at int) byte {
	if o.items[at-1].is(oFiller) {
		return 'F'
	}
	return 0
}

// alone reports whether a phrase is a clause by itself.
func (o *orderer) alone(at int) bool {
	ends := func(i int) bool {
		return i < 0 || i >= len(o.items) || o.items[i].kind() == punctuation || o.items[i].kind() == stop || o.items[i].is(oBecause|oRemark) && o.items[i].roles&^(oBecause|oRemark) == 0
	}
	return ends(at-1) && ends(at+1)
}

// named reports whether a name comes next, behind fillers.
func (o *orderer) named(at int) bool {
	for _, it := range o.items[at+1:] {
		if it.kind() == mark || it.kind() == name || it.is(oThing) {
			return true
		}
		if !it.is(oFiller) {
			return false
		}
	}
	return false
}

// lastOne reports whether an item is the last of its clause.
func (o *orderer) lastOne(at int) bool {
	return at+1 >= len(o.items) || o.items[at+1].kind() == punctuation || o.items[at+1].kind() == stop
}

func (o *orderer) nextVerb(at int) bool {
	return at+1 < len(o.items) && o.items[at+1].is(oVerb)
}

// reason reports whether what comes next is one.
func (o *orderer) reason(at int) bool {
	for _, it := range o.items[at+1:] {
		if it.is(oUseless|oUnneeded) || it.is(oRemark) {
			return true
		}
	}
	return false
}
