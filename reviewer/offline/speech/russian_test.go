package speech

import "testing"

func TestRussianIsRead(t *testing.T) {
	testSaid(t, "ru", []said{
		{stopped, Changing, "main.go", "Пожалуйста, не трогайте main.go."},
		{stopped, Changing, "main.go", "main.go править запрещено"},
		{stopped, Changing, "main.go", "В main.go ничего не менять!"},
		{stopped, Changing, "main.go", "Тебе нельзя редактировать main.go."},
		{stopped, Changing, "main.go", "Не надо ничего менять в main.go."},
		{stopped, Changing, "main.go", "Я не хочу, чтобы ты правил main.go."},
		{stopped, Changing, "main.go", "Прежде чем что-либо менять, спроси меня."},
		{stopped, Changing, "main.go", "Сначала покажи план, потом реализуй."},
		{stopped, Changing, "main.go", "Ни один файл не должен быть изменён."},
		{stopped, Changing, "main.go", "Почини сборку, но без изменений в main.go."},
		{stopped, Deleting, "old.txt", "Ничего не удаляй."},
		{stopped, Deleting, "old.txt", "old.txt удалять нельзя."},
		{stopped, Pushing, "", "Пока не пушь."},
		{stopped, Installing, "", "Не ставь никаких пакетов."},
		{granted, Deleting, "old.txt", "Можно смело удалять old.txt."},
		{granted, Deleting, "old.txt", "Убери, пожалуйста, файл old.txt."},
		{granted, Deleting, "old.txt", "Сотри old.txt, спасибо."},
		{granted, Deleting, "old.txt", "old.txt устарел, удали его."},
		{granted, Deleting, "old.txt", "Отлично. Теперь удали old.txt."},
		{granted, Deleting, "old.txt", "old.txt надо удалить."},
		{neither, Deleting, "old.txt", "Зачем ты удаляешь old.txt?"},
		{neither, Deleting, "old.txt", "Может быть, стоит удалить old.txt."},
		{neither, Deleting, "old.txt", "Удали old.txt, когда пройдут тесты."},
		{neither, Changing, "", "Меню не закрывается, если кликнуть рядом."},
		{neither, Changing, "", "Поиск ничего не находит, если поле пустое."},
		{neither, Changing, "", "Пользователь без прав не может редактировать счета."},
		{neither, Changing, "", "Не забудь дополнить тесты."},
	})
}
