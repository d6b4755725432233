package speech

import "testing"

func TestFrenchIsRead(t *testing.T) {
	testSaid(t, "fr", []said{
		{stopped, Changing, "main.go", "Surtout, ne touchez pas à main.go."},
		{stopped, Changing, "main.go", "ne pas editer main.go"},
		{stopped, Changing, "main.go", "N'édite jamais main.go sans me demander."},
		{stopped, Changing, "main.go", "Tu ne dois pas modifier main.go."},
		{stopped, Changing, "main.go", "Il ne faut rien changer dans main.go."},
		{stopped, Changing, "main.go", "main.go, on n'y touche pas."},
		{stopped, Changing, "main.go", "Je préfère que tu ne modifies pas main.go."},
		{stopped, Changing, "main.go", "Avant de toucher à quoi que ce soit, demande-moi."},
		{stopped, Changing, "main.go", "Montre-moi d'abord le plan, ensuite tu pourras coder."},
		{stopped, Changing, "main.go", "Aucun fichier ne doit être modifié."},
		{stopped, Deleting, "old.txt", "Ne supprime rien."},
		{stopped, Deleting, "old.txt", "old.txt ne doit pas être supprimé."},
		{stopped, Pushing, "", "Ne pousse pas encore."},
		{stopped, Installing, "", "N'installez aucun paquet."},
		{granted, Deleting, "old.txt", "Merci de supprimer old.txt."},
		{granted, Deleting, "old.txt", "Tu peux enlever le fichier old.txt."},
		{granted, Deleting, "old.txt", "Pourrais-tu effacer old.txt, s'il te plaît ?"},
		{granted, Deleting, "old.txt", "old.txt est obsolète, supprime-le."},
		{granted, Deleting, "old.txt", "Parfait. Retire old.txt maintenant, merci."},
		{granted, Deleting, "old.txt", "old.txt doit être supprimé."},
		{neither, Deleting, "old.txt", "Pourquoi supprimes-tu old.txt ?"},
		{neither, Deleting, "old.txt", "Il faudrait peut-être supprimer old.txt."},
		{neither, Deleting, "old.txt", "Supprime old.txt quand les tests passent."},
		{neither, Changing, "", "Le menu ne se ferme pas quand on clique à côté."},
		{neither, Changing, "", "La recherche ne trouve plus rien si le champ est vide."},
		{neither, Changing, "", "Un utilisateur sans droits ne peut pas modifier les factures."},
		{neither, Changing, "", "N'oublie pas de compléter les tests."},
	})
}
