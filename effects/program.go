package effects

// program is one that is known: its recogniser reports what a command of it does, by
// effects and rules, and whether it has understood every word. A command that has
// neither an effect nor a rule is harmless.
type program struct {
	explain func(*invocation) bool
}

// programs finds a recogniser by the program's name. The table is put together once,
// from the tables of the files that have them.
var programs = joinPrograms(
	textPrograms(),
	lookPrograms(),
	changePrograms(),
	deletePrograms(),
	findPrograms(),
	searchPrograms(),
	builtinPrograms(),
	packPrograms(),
	editPrograms(),
	gitPrograms(),
	buildPrograms(),
	packagePrograms(),
	interpreterPrograms(),
	containerPrograms(),
	clusterPrograms(),
	infrastructurePrograms(),
	cloudPrograms(),
	platformPrograms(),
	vaultPrograms(),
	backupPrograms(),
	messagingPrograms(),
	serverPrograms(),
	systemPrograms(),
	systemChangePrograms(),
	httpPrograms(),
	connectionPrograms(),
	remotePrograms(),
	databasePrograms(),
	migrationPrograms(),
	guardPrograms(),
	cmdletPrograms(),
)

func joinPrograms(tables ...map[string]program) map[string]program {
	all := map[string]program{}
	for _, t := range tables {
		for name, p := range t {
			if _, twice := all[name]; twice {
				panic("effects: two recognisers for " + name)
			}
			all[name] = p
		}
	}
	return all
}
