package effects

import (
	"strings"

	"github.com/docket-engine/docket/lineage/delegation"
)

// sessionTools change the state of the session and nothing else (seed 004's closed
// list): each with the members that it may have. Those that start agents, and tell
// them something, are those of the table of delegations.
func sessionTools() map[string]tool {
	all := map[string]tool{}
	for names, parameters := range map[string]string{
		"todo todowrite todo_write write_todos": "todos merge",
		"todoread todo_read":                    "",
		"manage_todo_list":                      "todoList operation",
		"update_plan":                           "plan explanation",
		"taskcreate":                            "subject description activeForm metadata",
		"taskupdate":                            "taskId status subject description activeForm owner addBlocks addBlockedBy metadata",
		"tasklist list_agents":                  "scope path_prefix",
		"taskget":                               "taskId",
		"askuserquestion ask_user_question question request_user_input request_user_input_async": "questions answers annotations metadata",
		"ask_user ask_followup_question":                  "question follow_up options choices",
		"exitplanmode exit_plan_mode":                     "plan planFilePath",
		"enterplanmode enter_plan_mode get_goal job_list": "",
		"think":                  "thought thoughts",
		"report":                 "output summary",
		"create_goal ralph":      "objective max_goal_rounds maxRounds",
		"update_goal":            "action blocked_reason goal_id max_goal_rounds objective revision status",
		"skill":                  "skill name args",
		"toolsearch tool_search": "query max_results",
		"bashoutput job_output taskoutput agentoutput":           "bash_id filter shell_id job_id task_id block timeout timeout_ms wait agentId",
		"killshell killbash taskstop job_kill kill_shell":        "shell_id bash_id task_id job_id reason",
		"wait wait_agent multi_agent_v1wait_agent sleep":         "cell_id max_tokens terminate yield_time_ms timeout_ms targets duration_ms",
		"send_message_to_user_async interrupt_agent close_agent": "message subagent_id target agent_id",
	} {
		all[names] = sessionTool(strings.Fields(parameters))
	}
	for name, t := range delegation.Tools() {
		if t.Kind == delegation.Tells {
			all[asciiFold(name)] = sessionTool(append([]string{t.Text}, t.Others...))
		} else {
			all[asciiFold(name)] = agentTool(t)
		}
	}
	return all
}

func sessionTool(parameters []string) tool {
	return func(a *analysis, m *members) bool {
		m.skip(parameters...)
		if !m.done() {
			return false
		}
		a.say("session-only", Span{}, "")
		return true
	}
}

// agentTool starts another agent, whose calls come here as well.
func agentTool(t delegation.Tool) tool {
	return func(a *analysis, m *members) bool {
		_, ok := m.text(t.Text)
		m.skip(t.Others...)
		if mode, given := m.text("mode"); given && mode != "default" && mode != "plan" {
			a.say("checks-lifted", Span{Argument: "mode", End: len(mode)}, mode)
		}
		if isolation, given := m.text("isolation"); !ok || given && isolation != "worktree" || !m.done() {
			return false
		}
		a.say("agent-started", Span{Argument: t.Text}, "")
		return true
	}
}
