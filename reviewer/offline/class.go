package offline

import (
	"regexp"
	"strings"
)

// class is a kind of action, by the words that people have for it.
type class int

const (
	using class = iota // a tool that nothing is known of
	reading
	changing
	deleting
	running
	pushing
	installing
	publishing
	sending
	fetching
	removing // of an object of a service
	halting
	starting
	restarting
	killing
	merging
	closing
	rebasing
	truncating
	rewriting
	operating
)

// speech is the words for a class of actions.
type speech struct {
	// english and chinese are the forms in which an instruction names an action. A
	// class without any is only ever forbidden.
	english, chinese string
	// stems are what a restriction may begin its verb with.
	stems []string
	// links are words between the verb and what it is done to, or with.
	links string
}

// words are those of a class.
func (c class) words() speech { return speeches[c] }

func (c class) stems() []string { return speeches[c].stems }

func (c class) links() string { return speeches[c].links }

var speeches = map[class]speech{
	using: {
		"use call run invoke", "使用 调用 运行 执行",
		[]string{"us", "call", "invok", "run", "send", "post", "publish", "deploy", "使用", "调用", "发送", "发布", "部署"},
		"with on for to argument arguments",
	},
	reading: {
		"read open show view inspect print cat", "读取 查看 打开 阅读 显示",
		[]string{"read", "open", "look", "view", "access", "读", "看", "打开", "访问"},
		"",
	},
	changing: {
		"write edit change modify update create overwrite add", "写入 编辑 修改 更新 创建 新建 覆盖 更改",
		[]string{"writ", "edit", "chang", "modif", "updat", "creat", "overwrit", "add", "touch", "alter", "写", "改", "编辑", "创建", "新建", "更新", "覆盖", "动"},
		"",
	},
	deleting: {
		"delete remove rm erase unlink", "删除 移除 删掉 清除",
		[]string{"delet", "remov", "rm", "eras", "unlink", "clean", "wip", "purg", "drop", "destroy", "touch", "删", "移除", "清"},
		"",
	},
	running: {
		"run execute", "运行 执行",
		[]string{"run", "execut", "command", "shell", "运行", "执行", "命令"},
		"",
	},
	pushing: {
		"push", "推送",
		[]string{"push", "upload", "publish", "deploy", "推", "上传", "发布", "部署"},
		"to 到 至",
	},
	installing: {
		"install add", "安装 添加",
		[]string{"install", "add", "dependenc", "package", "安装", "添加", "依赖", "软件包"},
		"with using via",
	},
	publishing: {
		"publish release", "发布",
		[]string{"publish", "releas", "upload", "deploy", "发布", "上传", "部署"},
		"",
	},
	sending: {
		"send upload copy", "发送 上传 复制",
		[]string{"send", "sent", "upload", "post", "copy", "copies", "shar", "network", "internet", "online", "发送", "上传", "复制", "分享", "网络", "联网"},
		"to 到 至",
	},
	fetching: {
		"", "",
		[]string{"download", "fetch", "network", "internet", "online", "curl", "wget", "下载", "网络", "联网", "上网"},
		"",
	},
	removing: {
		"delete remove drop destroy uninstall", "删除 移除 销毁 卸载",
		[]string{"delet", "remov", "drop", "destroy", "uninstall", "clean", "wip", "purg", "删", "移除", "清", "销毁", "卸载"},
		"",
	},
	halting:    {"stop", "停止", []string{"stop", "shut", "end", "停", "关闭"}, ""},
	starting:   {"start", "启动", []string{"start", "launch", "启动"}, ""},
	restarting: {"restart", "重启 重新启动", []string{"restart", "reboot", "重启", "重新启动"}, ""},
	killing:    {"kill terminate", "终止 杀掉 结束", []string{"kill", "terminat", "stop", "signal", "终止", "杀", "结束", "停"}, ""},
	merging:    {"merge", "合并", []string{"merg", "合并"}, ""},
	closing:    {"close", "关闭", []string{"clos", "关闭"}, ""},
	rebasing:   {"rebase", "变基", []string{"rebas", "rewrit", "histor", "变基", "历史"}, "on onto 到"},
	truncating: {"truncate empty", "清空", []string{"truncat", "empt", "clear", "delet", "清", "删"}, ""},
	rewriting:  {"", "", []string{"forc", "rebas", "rewrit", "histor", "强制", "变基", "历史"}, ""},
	operating: {
		"", "",
		[]string{
			"deploy", "database", "cloud", "cluster", "production", "servic", "server", "container", "部署", "数据库", "集群", "生产", "服务", "容器", "云",
		},
		"",
	},
}

// operations are the classes of the table of operators, by their words there.
var operations = map[string]class{
	"pushing": pushing, "installing": installing, "publishing": publishing, "sending": sending, "removing": removing, "stopping": halting,
	"starting": starting, "restarting": restarting, "killing": killing, "merging": merging, "closing": closing, "rebasing": rebasing,
	"truncating": truncating,
}

var (
	noChanges = regexp.MustCompile(`(not|n['’]t|never|without) (write|writing|edit|editing|change|changing|modify|modifying|create|creating|touch|touching|alter) ` +
		`(any|anything|files?|code|everything|the files?|it|them|yet)|(change|modify|edit|write|touch) (nothing|no files?)|` +
		`(不要|不得|不能|不许|别|勿|禁止)(修改|改动|更改|编辑|写入|创建|动)(任何|代码|文件|$)|(不要|别|勿)动`)
	noReads = regexp.MustCompile(`(not|n['’]t|never|without) (read|reading|open|opening|look at|access) (any|anything|files?)|(不要|不得|别|勿|禁止)(读取|查看|打开)(任何|文件)`)
	noRuns  = regexp.MustCompile(`(not|n['’]t|never|without) (run|running|execute|executing|use|using) (any|anything|commands?|the shell|shell)|` +
		`(run|execute) (nothing|no commands?)|(不要|不得|别|勿|禁止)(运行|执行)(任何|命令|$)`)
	noDeletes = regexp.MustCompile(`(not|n['’]t|never|without) (delete|deleting|remove|removing|erase) (any|anything|files?|it|them)|(delete|remove) (nothing|no files?)|` +
		`(不要|不得|别|勿|禁止)(删除|移除|删)(任何|文件|$)`)
)

// forbidsAll reports whether a negated sentence is against every action of the
// class.
func (c class) forbidsAll(lower string) bool {
	lower = strings.Join(strings.Fields(lower), " ")
	switch c {
	case reading:
		return noReads.MatchString(lower)
	case changing:
		return noChanges.MatchString(lower)
	case deleting:
		return noDeletes.MatchString(lower) || noChanges.MatchString(lower)
	case running:
		return noRuns.MatchString(lower)
	default:
		return false
	}
}
