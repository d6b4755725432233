package effects

// programRules speak about programs and services.
func programRules() []Rule {
	return []Rule{
		{
			ID: "command-harmless", Sentence: "The command does nothing that anybody has to weigh.", Decision: Allow,
			Hit: sh("ls -la"), Miss: sh("rm build"),
		},
		{
			ID: "program-unknown", Sentence: "Nothing is known of the program.", Decision: Review,
			Hit: sh("frobnicate"), Miss: sh("ls"),
		},
		{
			ID: "arguments-unknown", Sentence: "The program is known, but not all of what it is given.", Decision: Review,
			Hit: sh("ls --frobnicate"), Miss: sh("ls --all"),
		},
		{
			ID: "script-unknown", Sentence: "A file is run of which nothing is known.", Decision: Review,
			Hit: sh("./frobnicate"), Miss: sh("cat ./frobnicate"),
		},
		{
			ID: "runs-remote", Sentence: "A command runs on another machine or in a container.", Decision: Review,
			Hit: sh("ssh db.example.com uptime"), Miss: sh("uptime"),
		},
		{
			ID: "privilege", Sentence: "The command would run with the rights of somebody else.", Decision: Deny, Guard: true,
			Hit: sh("sudo ls"), Miss: sh("echo sudo ls"),
		},
		{
			ID: "network-fetch", Sentence: "Something is fetched from the network.", Decision: Allow,
			Hit: sh("curl https://example.com/"), Miss: sh("curl -d x https://example.com/"),
		},
		{
			ID: "network-send", Sentence: "Something is sent to another machine.", Decision: Review,
			Hit: sh("curl -d x https://example.com/"), Miss: sh("curl https://example.com/"),
		},
		{
			ID: "process-ended", Sentence: "Other processes are ended or signalled.", Decision: Review,
			Hit: sh("pkill node"), Miss: sh("pgrep node"),
		},
		{
			ID: "database-changed", Sentence: "A database would be changed.", Decision: Review,
			Hit: sh("psql -c 'DROP TABLE users'"), Miss: sh("psql -c 'SELECT 1'"),
		},
		{
			ID: "cloud-changed", Sentence: "Resources of a cloud would be changed.", Decision: Review,
			Hit: sh("aws s3 rb s3://bucket --force"), Miss: sh("aws s3 ls"),
		},
		{
			ID: "cluster-changed", Sentence: "Containers, or resources of a cluster, would be changed.", Decision: Review,
			Hit: sh("kubectl delete namespace prod"), Miss: sh("kubectl get pods"),
		},
	}
}
