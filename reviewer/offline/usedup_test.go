package offline

import (
	"fmt"
	"testing"

	"github.com/docket-engine/docket/projections"
)

const (
	old    = "/workspace/demo/old.txt"
	notes  = "/srv/notes.txt"
	rmOld  = `{"command":"rm old.txt"}`
	delOld = `{"path":"old.txt"}`
)

// TestADeletionIsGrantedOnce: for what was there when it was said, until it has
// succeeded.
func TestADeletionIsGrantedOnce(t *testing.T) {
	said := func() *scene { return newScene().human("Delete old.txt.") }
	parented := func() *scene {
		return newScene().ancestor("p1", "person", "Delete old.txt.").parent("Delete old.txt.")
	}
	for name, tt := range map[string]struct {
		scene *scene
		want  string
	}{
		"said":                                {said().tells(), allow},
		"said, and deleted":                   {said().called("delete", delOld).tells(), deny},
		"deleted by a command":                {said().called("shell", rmOld).tells(), deny},
		"deleted by another spelling":         {said().called("shell", `{"command":"rm ./docs/../old.txt"}`).tells(), deny},
		"deleted with its folder":             {said().called("shell", `{"command":"rm -r /workspace/demo"}`).tells(), deny},
		"deleted by a pattern":                {said().called("shell", `{"command":"rm *.txt"}`).tells(), deny},
		"deleted by a variable":               {said().called("shell", `{"command":"rm $FILE"}`).tells(), deny},
		"another one was deleted":             {said().called("delete", `{"path":"new.txt"}`).tells(), allow},
		"deleted before it was said":          {newScene().called("delete", delOld).human("Delete old.txt.").tells(), allow},
		"deleted, and said again":             {said().called("delete", delOld).human("Delete old.txt.").tells(), allow},
		"deleted, said again, and deleted":    {said().called("delete", delOld).human("Delete old.txt.").called("delete", delOld).tells(), deny},
		"it failed":                           {said().called("delete", delOld).ended(projections.EndFailed), allow},
		"it was returned unused":              {said().called("delete", delOld).ended(projections.EndReturned), allow},
		"it was refused":                      {said().called("delete", delOld).ended(projections.EndRefused), allow},
		"nobody knows how it ended":           {said().called("delete", delOld).ended(projections.EndUnknown), deny},
		"it is under way":                     {said().called("delete", delOld).ended(projections.EndPending), deny},
		"nothing is known of how it ended":    {said().called("delete", delOld), deny},
		"it failed, and then succeeded":       {said().called("delete", delOld).ended(projections.EndFailed).called("delete", delOld), deny},
		"it was read":                         {said().called("read", delOld).called("shell", `{"command":"cat old.txt"}`).tells(), allow},
		"another word came between":           {said().human("Thanks.").tells(), allow},
		"a file from before":                  {said().born(old, 1), allow},
		"a file from long before":             {said().born(old, 0), allow},
		"a file that was made since":          {said().born(old, 2), deny},
		"made since, and said again":          {said().fact("x").human("Delete old.txt.").born(old, 2), allow},
		"another file that was made since":    {said().born("/workspace/demo/new.txt", 2), allow},
		"no file":                             {said().facts2(), allow},
		"said to the session it is a fork of": {said().inherited(), deny},
		"said there, and here":                {said().inherited().human("Delete old.txt."), allow},
		"forbidden there":                     {newScene().human("Never delete anything.").inherited().human("Delete old.txt."), deny},
		"word for word":                       {newScene().human("Run `rm old.txt`.").tells(), allow},
		"word for word, and done":             {newScene().human("Run `rm old.txt`.").called("shell", rmOld).tells(), deny},
		"word for word, done otherwise":       {newScene().human("Run `rm old.txt`.").called("delete", delOld).tells(), deny},
		"word for word, another was made":     {newScene().human("Run `rm old.txt`.").born(old, 2), deny},
		"a parent said it":                    {parented().born(old, 0), allow},
		"a parent said it, and it was done":   {parented().called("delete", delOld).tells(), deny},
		"a parent said it to a fork":          {parented().inherited(), deny},
		"a parent said it, made since":        {parented().born(old, 2), deny},
	} {
		t.Run(name, func(t *testing.T) { wantDecision(t, tt.scene.shell("rm old.txt"), tt.want) })
	}
}

// facts2 gives the scene files of which nothing is known.
func (s *scene) facts2() *scene {
	s.facts()
	return s
}

// TestAnOverwritingIsGrantedOnce, and other acts until somebody speaks again.
func TestAnOverwritingIsGrantedOnceAndOtherActsUntilTheNextMessage(t *testing.T) {
	const write = `{"path":"/srv/notes.txt","content":"x"}`
	push := func() *scene { return newScene().human("Push main to origin.") }
	const pushed = `{"command":"git push origin main"}`
	for name, tt := range map[string]struct {
		scene *scene
		want  string
	}{
		"overwrite":                         {newScene().human("Change /srv/notes.txt.").tells().asks("write", write), allow},
		"overwritten":                       {newScene().human("Change /srv/notes.txt.").called("write", write).tells().asks("write", write), deny},
		"overwritten by a command":          {newScene().human("Change /srv/notes.txt.").called("shell", `{"command":"echo x > /srv/notes.txt"}`).tells().asks("write", write), deny},
		"overwriting failed":                {newScene().human("Change /srv/notes.txt.").called("write", write).ended(projections.EndFailed).asks("write", write), allow},
		"another one stands there":          {newScene().human("Change /srv/notes.txt.").born(notes, 2).asks("write", write), deny},
		"the same one stands there":         {newScene().human("Change /srv/notes.txt.").born(notes, 1).asks("write", write), allow},
		"in a fork":                         {newScene().human("Change /srv/notes.txt.").inherited().asks("write", write), deny},
		"read":                              {newScene().human("Read /srv/notes.txt.").called("read", `{"path":"/srv/notes.txt"}`).human("Thanks.").tells().asks("read", `{"path":"/srv/notes.txt"}`), allow},
		"read, in a fork":                   {newScene().human("Read /srv/notes.txt.").inherited().asks("read", `{"path":"/srv/notes.txt"}`), deny},
		"push":                              {push().tells().shell("git push origin main"), allow},
		"pushed, and again":                 {push().called("shell", pushed).tells().shell("git push origin main"), allow},
		"push, behind another message":      {push().human("Thanks.").tells().shell("git push origin main"), deny},
		"push, behind a parent's message":   {push().parent("Write a.go.").tells().shell("git push origin main"), allow},
		"push, in a fork":                   {push().inherited().shell("git push origin main"), deny},
		"push, said again":                  {push().human("Thanks.").human("Push main to origin.").tells().shell("git push origin main"), allow},
		"install, behind another message":   {newScene().human("Install left-pad.").human("Thanks.").tells().shell("npm install left-pad"), deny},
		"a pod":                             {newScene().human("Delete pod web-1.").tells().shell("kubectl delete pod web-1"), allow},
		"a pod, deleted":                    {newScene().human("Delete pod web-1.").called("shell", `{"command":"kubectl delete pod web-1"}`).tells().shell("kubectl delete pod web-1"), deny},
		"a pod, another was deleted":        {newScene().human("Delete pod web-1.").called("shell", `{"command":"kubectl delete pod web-2"}`).tells().shell("kubectl delete pod web-1"), allow},
		"a table":                           {newScene().human("Drop table users in shop.").called("shell", `{"command":"psql shop -c 'drop table users'"}`).tells().shell("psql shop -c 'drop table users'"), deny},
		"a command, and again":              {newScene().human("Run `npm publish`.").called("shell", `{"command":"npm publish"}`).tells().shell("npm publish"), allow},
		"a command, behind another message": {newScene().human("Run `npm publish`.").human("Thanks.").tells().shell("npm publish"), deny},
	} {
		t.Run(name, func(t *testing.T) { wantDecision(t, tt.scene, tt.want) })
	}
}

// TestWhatWasGrantedAboveIsProvenUnused: what the ancestor and its other children have done
// since is in no history of the child.
func TestWhatWasGrantedAboveIsProvenUnused(t *testing.T) {
	above := func(order string) *scene { return newScene().ancestor("p1", "person", order).parent(order) }
	write := func(s *scene) *scene { return s.asks("write", `{"path":"/srv/notes.txt","content":"x"}`) }
	for name, tt := range map[string]struct {
		scene *scene
		want  string
	}{
		"a deletion, and the file was there":         {above("Delete old.txt.").born(old, 0).shell("rm old.txt"), allow},
		"a deletion, and it was edited since":        {above("Delete old.txt.").changed(old, 2).shell("rm old.txt"), allow},
		"a deletion, and another file is there":      {above("Delete old.txt.").born(old, 2).shell("rm old.txt"), deny},
		"a deletion, and files are not seen":         {above("Delete old.txt.").tells().shell("rm old.txt"), deny},
		"a deletion, and nothing is known of it":     {above("Delete old.txt.").facts2().shell("rm old.txt"), deny},
		"a deletion, and there is no record":         {above("Delete old.txt.").shell("rm old.txt"), deny},
		"an overwriting, and nobody has changed it":  {write(above("Change /srv/notes.txt.").born(notes, 0)), allow},
		"an overwriting, and somebody has":           {write(above("Change /srv/notes.txt.").changed(notes, 2)), deny},
		"an overwriting, and files are not seen":     {write(above("Change /srv/notes.txt.").tells()), deny},
		"a pod":                                      {above("Delete pod web-1.").born(old, 0).shell("kubectl delete pod web-1"), deny},
		"a table":                                    {above("Drop table users in shop.").born(old, 0).shell("psql shop -c 'drop table users'"), deny},
		"what lasts until the next message":          {above("Push main to origin.").tells().shell("git push origin main"), allow},
		"what lasts, said to the ancestor's source":  {newScene().ancestorInherited("p1", "Push main to origin.").parent("Push main to origin.").tells().shell("git push origin main"), deny},
		"a deletion, said to the ancestor's source":  {newScene().ancestorInherited("p1", "Delete old.txt.").parent("Delete old.txt.").born(old, 0).shell("rm old.txt"), deny},
		"a refusal, said to the ancestor's source":   {newScene().ancestorInherited("p1", "Never push.").human("Push main to origin.").tells().shell("git push origin main"), deny},
		"a deletion, said again in the child itself": {above("Delete old.txt.").born(old, 2).human("Delete old.txt.").shell("rm old.txt"), allow},
	} {
		t.Run(name, func(t *testing.T) { wantDecision(t, tt.scene, tt.want) })
	}
}

// TestALongHistoryMayHaveUsedAGrantUp: what was not looked at is not known.
func TestALongHistoryMayHaveUsedAGrantUp(t *testing.T) {
	s := newScene().human("Delete old.txt.")
	for i := range maxPast - 1 {
		s.called("shell", fmt.Sprintf(`{"command":"cat %d.txt"}`, i))
	}
	wantDecision(t, s.tells().shell("rm old.txt"), allow)
	s.called("read", delOld).called("read", delOld)
	wantDecision(t, s.shell("rm old.txt"), deny)
}
