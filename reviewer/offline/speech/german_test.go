package speech

import "testing"

func TestGermanIsRead(t *testing.T) {
	testSaid(t, "de", []said{
		{stopped, Changing, "main.go", "Bitte rühren Sie main.go nicht an."},
		{stopped, Changing, "main.go", "main.go nicht ueberschreiben"},
		{stopped, Changing, "main.go", "Auf keinen Fall main.go umbenennen!"},
		{stopped, Changing, "main.go", "An main.go bitte nichts mehr ändern."},
		{stopped, Changing, "main.go", "Du sollst main.go nicht bearbeiten."},
		{stopped, Changing, "main.go", "Nimm keine Änderungen an main.go vor."},
		{stopped, Changing, "main.go", "Bevor du irgendetwas änderst, frag mich bitte."},
		{stopped, Changing, "main.go", "Warte bitte, bis ich den Plan freigegeben habe."},
		{stopped, Changing, "main.go", "Erst einen Plan zeigen, dann umsetzen."},
		{stopped, Deleting, "old.txt", "Lösch bloß nichts."},
		{stopped, Deleting, "old.txt", "old.txt darf keinesfalls gelöscht werden."},
		{stopped, Pushing, "", "Push bitte noch nicht."},
		{stopped, Installing, "", "Bitte keine neuen Pakete installieren."},
		{granted, Deleting, "old.txt", "Bitte wirf old.txt weg."},
		{granted, Deleting, "old.txt", "Löschen Sie bitte old.txt."},
		{granted, Deleting, "old.txt", "Die Datei old.txt darf gelöscht werden."},
		{granted, Deleting, "old.txt", "Könntest du bitte old.txt entfernen?"},
		{granted, Deleting, "old.txt", "Guten Morgen! Entferne jetzt bitte old.txt. Vielen Dank!"},
		{granted, Deleting, "old.txt", "old.txt ist veraltet, bitte löschen"},
		{neither, Deleting, "old.txt", "Vielleicht solltest du old.txt löschen."},
		{neither, Deleting, "old.txt", "Warum löschst du old.txt?"},
		{neither, Deleting, "old.txt", "Lösche old.txt, sobald die Tests grün sind."},
		{neither, Changing, "", "Die Suche findet keine Treffer mehr, wenn das Feld leer ist."},
		{neither, Changing, "", "Das Menü schließt sich nicht, wenn man daneben klickt."},
		{neither, Changing, "", "Nutzer ohne Rechte dürfen keine Rechnungen bearbeiten."},
		{neither, Changing, "", "Vergiss nicht, die Tests zu ergänzen."},
		{neither, Changing, "", "Zeig eine Meldung, wenn die Datei nicht gefunden wurde."},
	})
}
