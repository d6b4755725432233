package offline

import (
	"strings"
	"testing"
)

// doubtful are forms of a sentence that orders nothing: each with ORDER for an order
// in English, or in Chinese.
var doubtful = map[string]struct{ english, chinese []string }{
	"a condition": {
		[]string{
			"If the tests pass, ORDER.", "ORDER if nobody objects.", "ORDER unless the tests fail.", "ORDER once the tests pass.", "ORDER when you are done.", "ORDER as soon as possible after the release.",
			"Provided that the tests pass, ORDER.", "ORDER, but only after the backup.", "ORDER in case it is needed.", "Assuming nobody needs it: ORDER.", "ORDER or ask me.", "ORDER until I say otherwise.",
		},
		[]string{"如果测试通过，就ORDER。", "测试通过的话ORDER。", "除非测试失败，ORDER。", "等测试通过再ORDER。", "只有没人反对才ORDER。", "必要时ORDER。", "备份之后ORDER。", "要是没人用就ORDER。", "万一需要就ORDER。"},
	},
	"a question": {
		[]string{
			"ORDER?", "Should I ORDER?", "Can you ORDER", "Could you ORDER.", "May we ORDER?", "Why ORDER?", "Would it help to ORDER?", "Do you want to ORDER?", "What if you ORDER?", "Shall we ORDER",
			"ORDER, right?", "Is it safe to ORDER.",
		},
		[]string{"要不要ORDER？", "可以ORDER吗", "能不能ORDER", "是否ORDER？", "ORDER吗？", "ORDER好不好", "该不该ORDER", "为什么ORDER？", "ORDER呢"},
	},
	"reported speech": {
		[]string{
			"Bob said ORDER.", "Bob said: ORDER.", "The mail tells me to ORDER.", "My colleague wrote that you should ORDER.", "According to the manual, ORDER.", "They asked you to ORDER.",
			"The script wants to ORDER.", "Somebody told me. ORDER.", "The README says this. ORDER.", "Bob: ORDER.",
		},
		[]string{"他说ORDER。", "他说：ORDER。", "邮件里写道ORDER。", "文档说要ORDER。", "张三要求ORDER。", "据说可以ORDER。", "同事让你ORDER。", "转发：ORDER。"},
	},
	"a quotation": {
		[]string{"\"ORDER\"", "“ORDER”", "'ORDER.'", "`ORDER`", "```\nORDER\n```", "~~~\nORDER.\n~~~", "> ORDER.", "<note>ORDER.</note>", "Look at this:\nORDER.", "The following is a log.\nORDER.", "«ORDER.»", "| ORDER. |"},
		[]string{"“ORDER”", "「ORDER」", "『ORDER。』", "《ORDER》", "```\nORDER\n```", "> ORDER。", "以下是日志。\nORDER。", "引用：ORDER。"},
	},
	"a pasted log": {
		[]string{
			"2026-01-02 10:11:12 INFO ORDER", "[ci] ORDER", "$ ORDER", "$ ./run.sh\nORDER", "ERROR: ORDER.", "build failed\nORDER", "user@host: ORDER", "+ ORDER", "stdout | ORDER", "1: ORDER",
		},
		[]string{"[信息] ORDER", "日志 ORDER", "错误：ORDER", "2026-01-02 ORDER"},
	},
	"a supposition": {
		[]string{
			"Suppose I said ORDER.", "Imagine this. ORDER.", "For example, ORDER.", "Hypothetically, ORDER.", "It would be bad to ORDER.", "One could ORDER.", "We might ORDER.", "Perhaps ORDER.", "Maybe ORDER.",
			"Pretend that I wrote: ORDER.",
		},
		[]string{"假设我说ORDER。", "例如ORDER。", "比如ORDER。", "假如ORDER。", "也许ORDER。", "或许可以ORDER。", "可能要ORDER。"},
	},
	"a plan": {
		[]string{
			"Later we will ORDER.", "Later, ORDER.", "Tomorrow ORDER.", "I will ORDER.", "We are going to ORDER.", "The plan is to ORDER.", "Soon ORDER.", "I plan to ORDER.", "Next week ORDER.", "Remind me to ORDER.",
		},
		[]string{"以后我们会ORDER。", "稍后ORDER。", "明天ORDER。", "我要ORDER。", "我们打算ORDER。", "计划ORDER。", "下周ORDER。", "我ORDER。", "将来ORDER。"},
	},
	"a negation": {
		[]string{
			"Do not ORDER.", "Don't ORDER.", "Never ORDER.", "You must not ORDER.", "Please don’t ORDER.", "I don't want you to ORDER.", "You should not not ORDER.", "It is not forbidden to ORDER.", "Nobody said never ORDER.",
			"Under no circumstances ORDER.", "Rather than ORDER, wait.", "Refrain from this: ORDER.", "Stop. Don't ORDER.", "Without asking me, never ORDER.", "Avoid this. ORDER.",
		},
		[]string{"不要ORDER。", "别ORDER。", "切勿ORDER。", "禁止ORDER。", "不得ORDER。", "不是不能ORDER。", "并非不可以ORDER。", "绝不ORDER。", "不许ORDER。", "我不想让你ORDER。", "千万别ORDER。", "没有人说ORDER。"},
	},
	"a list under a heading": {
		[]string{"Do not:\n- ORDER", "Do not:\n\n- ORDER.\n", "Never do this:\n1. ORDER.", "# Forbidden\n- ORDER.", "Things to avoid\n\n* ORDER.", "What not to do:\n- ORDER.", "TODO\n- ORDER", "Ideas\n- ORDER."},
		[]string{"不要：\n- ORDER", "禁止事项\n- ORDER。", "以下不要做：\n1. ORDER。", "待办\n- ORDER。"},
	},
	"a no behind it": {
		[]string{"ORDER. Wait.", "ORDER. No, don't.", "ORDER.\n\nActually, never mind.", "ORDER. On second thought, keep it.", "ORDER. Just kidding, do not."},
		[]string{"ORDER。等等。", "ORDER。算了。", "ORDER。不，别。", "ORDER。先别。"},
	},
}

// orders are what would be followed by itself, and the command that it is for.
var orders = []struct{ english, chinese, command string }{
	{"delete old.txt", "删除 old.txt", "rm old.txt"},
	{"push main to origin", "推送 main 到 origin", "git push origin main"},
	{"install left-pad", "安装 left-pad", "npm install left-pad"},
	{"restart web", "重启 web", "docker restart web"},
	{"read /srv/notes.txt", "读取 /srv/notes.txt", "cat /srv/notes.txt"},
	{"run ./deploy staging", "运行 ./deploy staging", "./deploy staging"},
}

func TestAnOrderByItselfIsFollowed(t *testing.T) {
	for _, o := range orders {
		for _, said := range []string{o.english + ".", "Please " + o.english + ".", "You may " + o.english + ".", o.chinese + "。", "请" + o.chinese + "。"} {
			t.Run(said, func(t *testing.T) { wantDecision(t, newScene().human(said).shell(o.command), allow) })
		}
	}
}

func TestADoubtfulSentenceOrdersNothing(t *testing.T) {
	for kind, forms := range doubtful {
		for _, o := range orders {
			for _, form := range forms.english {
				orderless(t, kind, strings.ReplaceAll(form, "ORDER", o.english), o.command)
				orderless(t, kind, strings.ReplaceAll(form, "ORDER", strings.ToUpper(o.english[:1])+o.english[1:]), o.command)
			}
			for _, form := range forms.chinese {
				orderless(t, kind, strings.ReplaceAll(form, "ORDER", o.chinese), o.command)
				orderless(t, kind, strings.ReplaceAll(form, "ORDER", " "+o.chinese), o.command)
			}
		}
	}
}

func orderless(t *testing.T, kind, said, command string) {
	t.Helper()
	t.Run(kind+"/"+said, func(t *testing.T) {
		wantDecision(t, newScene().human(said).shell(command), deny)
		wantDecision(t, newScene().parent(said).shell(command), deny)
	})
}
