package speech

import "testing"

func TestPortugueseIsRead(t *testing.T) {
	testSaid(t, "pt", []said{
		{stopped, Changing, "main.go", "Não mexas em main.go, por favor."},
		{stopped, Changing, "main.go", "nao altere o main.go"},
		{stopped, Changing, "main.go", "Você não deve editar main.go."},
		{stopped, Changing, "main.go", "No main.go ninguém mexe."},
		{stopped, Changing, "main.go", "De jeito nenhum mude main.go."},
		{stopped, Changing, "main.go", "Ainda não quero que você altere o código."},
		{stopped, Changing, "main.go", "Antes de mexer em qualquer arquivo, me pergunte."},
		{stopped, Changing, "main.go", "Primeiro me mostre o plano, depois implemente."},
		{stopped, Changing, "main.go", "Nenhum ficheiro deve ser alterado."},
		{stopped, Changing, "main.go", "Corrija o bug sem alterar main.go."},
		{stopped, Deleting, "old.txt", "Não apague nada."},
		{stopped, Deleting, "old.txt", "old.txt não pode ser removido."},
		{stopped, Pushing, "", "Ainda não faça push."},
		{stopped, Installing, "", "Não instale nenhum pacote."},
		{granted, Deleting, "old.txt", "Podes apagar o ficheiro old.txt."},
		{granted, Deleting, "old.txt", "Faz favor de remover old.txt."},
		{granted, Deleting, "old.txt", "Poderia excluir old.txt, por favor?"},
		{granted, Deleting, "old.txt", "old.txt está obsoleto, pode apagar."},
		{granted, Deleting, "old.txt", "Perfeito. Remova old.txt agora, obrigado."},
		{granted, Deleting, "old.txt", "old.txt deve ser excluído."},
		{neither, Deleting, "old.txt", "Por que você apaga old.txt?"},
		{neither, Deleting, "old.txt", "Talvez seja bom apagar old.txt."},
		{neither, Deleting, "old.txt", "Apague old.txt quando os testes passarem."},
		{neither, Changing, "", "O menu não fecha quando clico fora."},
		{neither, Changing, "", "A busca não encontra nada se o campo estiver vazio."},
		{neither, Changing, "", "Um usuário sem permissão não pode editar faturas."},
		{neither, Changing, "", "Não se esqueça de completar os testes."},
	})
}
