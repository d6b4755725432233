package speech_test

import (
	"strings"
	"testing"
	"time"

	"github.com/docket-engine/docket/reviewer/offline/speech"
)

// refusals are those of a whole message.
func refusals(text string) []speech.Refusal {
	var out []speech.Refusal
	for _, s := range speech.Read(text).Sentences {
		out = append(out, s.Refusals...)
	}
	return out
}

func TestASentenceRefusesWhatItSays(t *testing.T) {
	for text, want := range map[string]struct {
		act     speech.Act
		targets string
	}{
		"Do not touch main.go.":                 {speech.Changing, "main.go"},
		"Fix a.go, but never push.":             {speech.Pushing, ""},
		"No new dependencies.":                  {speech.Installing, ""},
		"Do not edit a.go, b.go or c.go.":       {speech.Changing, "a.go b.go c.go"},
		"Leave docs/a.md as it is.":             {speech.Changing, "docs/a.md"},
		"Change anything except a.go.":          {speech.Changing, "a.go"},
		"Ask me before you delete anything.":    {speech.Deleting, ""},
		"> do not edit a.go":                    {speech.Changing, "a.go"},
		"Python files are off limits.":          {speech.Changing, "*.py"},
		"别动 a.go。":                              {speech.Changing, "a.go"},
		"Fass a.go nicht an.":                   {speech.Changing, "a.go"},
		"Ne touche pas à a.go.":                 {speech.Changing, "a.go"},
		"No toques a.go.":                       {speech.Changing, "a.go"},
		"Não mexa em a.go.":                     {speech.Changing, "a.go"},
		"Не трогай a.go.":                       {speech.Changing, "a.go"},
		"a.goを触らないでください。":                       {speech.Changing, "a.go"},
		"Non toccare nessun file, per favore.":  {speech.Changing, ""},
		"Raak de bestanden voorlopig niet aan.": {speech.Changing, ""},
		"파일을 수정하지 마세요.":                         {speech.Changing, ""},
		"Не чіпай жодних файлів.":               {speech.Changing, ""},
		"We are in plan mode.":                  {speech.Changing, ""},
		"Stop.":                                 {speech.Running, ""},
	} {
		t.Run(text, func(t *testing.T) {
			all := refusals(text)
			if len(all) == 0 {
				t.Fatal("got nothing")
			}
			if r := all[0]; !r.Acts.Has(want.act) || strings.Join(r.Targets, " ") != want.targets {
				t.Errorf("got %v of %q, want %v of %q", r.Acts, r.Targets, want.act, want.targets)
			}
		})
	}
}

func TestASentenceThatOnlyTellsRefusesNothing(t *testing.T) {
	for _, text := range []string{
		"main.go does not compile.", "Why does main.go not compile? Fix it.", "Make sure it does not crash.", "Add a dialog that asks before deleting.", "Users cannot log in.",
		"Don't worry about the tests.", "Don't forget to run the tests.", "Refactor it without breaking the API.", "Don't use recursion.", "No problem.", "> never do that", "```\ndo not edit\n```",
		"2026-01-02 10:11:12 ERROR cannot write to disk", "Bump eslint to v9", "fix flaky parser spec", "Refactor UserService pagination", "解析器不能处理空输入。", "Der Test läuft nicht.", "Le test ne passe pas.",
		"El test no funciona.", "O teste não funciona.", "Тест не работает.", "テストが動かない。",
	} {
		t.Run(text, func(t *testing.T) {
			if all := refusals(text); len(all) > 0 {
				t.Errorf("got %+v", all)
			}
		})
	}
}

// marked has the mark of a target for TARGET.
func marked(text string) string {
	return strings.ReplaceAll(text, "TARGET", string(speech.MarkTarget))
}

func TestAMessageOrdersOnlyWhatItIsUnderstoodToOrder(t *testing.T) {
	for text, want := range map[string]bool{
		"Delete TARGET.": true, "TARGET is obsolete, delete it.": true, "TARGET can go.": true, "Could you please delete TARGET?": true, "Lösch bitte TARGET.": true,
		"Supprime TARGET, merci.": true, "Borra TARGET.": true, "Apague TARGET, obrigado.": true, "Удали TARGET.": true, "TARGETを削除してください。": true,
		"Delete other.txt and leave TARGET alone.": false, "Everything but TARGET can be deleted.": false, "Delete the bug in TARGET.": false, "Delete TARGET, said the intern.": false,
		"Dry run. Delete TARGET.": false, "We are in plan mode. Delete TARGET.": false, "Cancella TARGET.": false, "Delete TARGET or move it.": false, "Look at this:\nDelete TARGET.": false,
		"Create TARGET, then remove it.": false, "Can you delete TARGET?": false,
	} {
		t.Run(text, func(t *testing.T) {
			h := speech.Read(marked(text)).Orders(speech.Ask{Acts: speech.Of(speech.Deleting)})
			got := false
			for _, ordered := range h.Orders {
				got = got || ordered && h.Understood
			}
			if got != want {
				t.Errorf("got %v (%+v), want %v", got, h, want)
			}
		})
	}
}

// BenchmarkALongText: what is read of twice the text is to take twice the time.
func BenchmarkALongText(b *testing.B) {
	for name, unit := range map[string]string{
		"words": "do not touch a.go and b.go ", "commas": "a, ", "quotes": "\"a ", "apostrophes": "' ", "backquotes": "` ", "letters": "a", "signs": "-", "Chinese": "不要动", "lists": "- never\n",
		"a log": "2026-01-02 10:11:12 ERROR cannot write a.go\n", "stars": "*", "brackets": "((((",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(unit, 1<<12/len(unit))
			for b.Loop() {
				speech.Read(text)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"Delete TARGET.", "Do not:\n- push\n", "```\ncode\n```\n> quote\n| a | b |\n", "diff --git a b\n+x", "„Nein“, sagte er.", "l'API n'est pas là", "不要，别！", "'' ' `` ` \"", "\ue000\ue100", "a/b.c:12: no",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := speech.Read(text)
		h := m.Orders(speech.Ask{Acts: speech.Of(speech.Deleting)})
		for _, ordered := range h.Orders {
			if ordered && h.Understood && !strings.ContainsRune(text, speech.MarkTarget) {
				t.Errorf("%q orders what it does not name", text)
			}
		}
	})
}

// A text of one sign, or without a stop, takes time in proportion to its length. The
// bound is far above what it takes, and far below what it took where one word or sign
// was looked at again for each of the others.
func TestALongTextIsReadInLinearTime(t *testing.T) {
	for name, unit := range map[string]string{
		"words": "do not touch a.go and b.go ", "commas": "a, ", "quotes": "\"a ", "apostrophes": "' ", "letters": "a", "signs": "-", "stars": "*", "points": ".", "Chinese": "不要动", "brackets": "((((",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(unit, 1<<17/len(unit))
			begun := time.Now()
			speech.Read(text).Orders(speech.Ask{Acts: speech.Of(speech.Deleting)})
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("got %v for %d bytes", took, len(text))
			}
		})
	}
}
