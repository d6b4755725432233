package speech

import "testing"

func TestJapaneseIsRead(t *testing.T) {
	testSaid(t, "ja", []said{
		{stopped, Changing, "main.go", "main.goは絶対に編集しないでください。"},
		{stopped, Changing, "main.go", "main.goには手を触れないでください"},
		{stopped, Changing, "main.go", "main.goを修正するのは禁止です。"},
		{stopped, Changing, "main.go", "main.goを変更してはなりません。"},
		{stopped, Changing, "main.go", "main.goの編集は控えてください。"},
		{stopped, Changing, "main.go", "ファイルを変更する前に私に確認してください。"},
		{stopped, Changing, "main.go", "私が承認するまで何も変更しないでください。"},
		{stopped, Changing, "main.go", "まだ実装しないで、計画だけ見せて"},
		{stopped, Changing, "main.go", "コードは一切変更しないでください。"},
		{stopped, Changing, "main.go", "main.goはそのままにしておいて"},
		{stopped, Deleting, "old.txt", "何も削除しないでください。"},
		{stopped, Deleting, "old.txt", "old.txtは消さないで"},
		{stopped, Pushing, "", "まだプッシュしないでください。"},
		{stopped, Installing, "", "パッケージはインストールしないで"},
		{granted, Deleting, "old.txt", "old.txtを消去してください。"},
		{granted, Deleting, "old.txt", "old.txtは削除しても大丈夫です。"},
		{granted, Deleting, "old.txt", "不要なファイルold.txtを削除してください。"},
		{granted, Deleting, "old.txt", "了解です。old.txtを削除してください。"},
		{granted, Deleting, "old.txt", "old.txtを捨ててください。"},
		{granted, Deleting, "old.txt", "お手数ですが、old.txtを削除してください。"},
		{neither, Deleting, "old.txt", "なぜold.txtを削除したのですか？"},
		{neither, Deleting, "old.txt", "old.txtを削除した方がいいかもしれません。"},
		{neither, Deleting, "old.txt", "テストが通ったらold.txtを削除してください。"},
		{neither, Changing, "", "外側をクリックしてもメニューが閉じません。"},
		{neither, Changing, "", "検索欄が空のとき何も見つからない。"},
		{neither, Changing, "", "権限のないユーザーは請求書を編集できません。"},
		{neither, Changing, "", "テストの追加も忘れないでください。"},
	})
}
