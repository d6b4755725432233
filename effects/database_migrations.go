package effects

// migrationPrograms change the shape of databases step by step.
func migrationPrograms() map[string]program {
	return map[string]program{
		"prisma":        prisma.program(),
		"knex":          migrations.program(),
		"sequelize":     migrations.program(),
		"sequelize-cli": migrations.program(),
		"typeorm":       migrations.program(),
		"mikro-orm":     migrations.program(),
		"drizzle-kit":   migrations.program(),
		"alembic":       alembic.program(),
		"flyway":        migrations.program(),
		"liquibase":     migrations.program(),
		"goose":         migrations.program(),
		"dbmate":        migrations.program(),
		"migrate":       migrations.program(),
		"diesel":        migrations.program(),
		"sqlx":          migrations.program(),
		"sqitch":        migrations.program(),
		"skeema":        migrations.program(),
		"django-admin":  django.program(),
		"manage.py":     django.program(),
		"artisan":       django.program(),
		"rails":         rails.program(),
	}
}

var prisma = &service{
	kind: Database, bare: asks, spec: spec{long: "schema= config="}, verbs: verbsOf(`
asks: version validate help platform
asks migrate: status diff
prepares: generate format init
changes: studio
changes migrate: deploy dev resolve
changes db: push seed execute pull
destroys migrate: reset
`),
	run: "--force-reset --accept-data-loss ",
}

var alembic = &service{kind: Database, bare: asks, dry: "--sql", spec: spec{short: "c:n:x:", long: "config= name= raiseerr"}, verbs: verbsOf(`
asks: branches check current heads history show list_templates
prepares: init merge revision
changes: edit ensure_version stamp upgrade
destroys: downgrade
`)}

// migrations are the verbs of many programs of that kind.
var migrations = &service{
	kind: Database, bare: asks, colons: true,
	spec: spec{short: "c:d:e:f:n:x:s:u:", long: "config= env= name= raiseerr url= user= password= configFiles= changelog-file= changeLogFile= defaults-file= database-url= database= path= source= dir= migrations-dir= dataSource= knexfile= cwd= username= options-path= log-level="},
	verbs: verbsOf(`
asks: status history current heads show branches info validate version list diff lint check log plan verify
asks migrate|migration|db|mig|migrations: status list currentVersion show info version pending check current
prepares: generate revision new create make init updateSQL update-sql rollback-sql format merge changelog-sync-sql
prepares migrate|migration|db|seed|mig|entity|model|schema|migrations: make generate create new add
changes: up upgrade migrate update push apply stamp baseline repair seed deploy load dump redo fix tag edit pull run changelog-sync ensure_version setup
changes migrate|migration|mig|seed|db|schema|migrations: latest up run down apply sync seed setup create-db migrate unlock redo revert deploy
destroys: down downgrade clean drop drop-all rollback revert reset undo force to goto rebase wipe
destroys migrate|migration|mig|db|schema|database|migrations: rollback drop reset revert undo down fresh refresh
changes database: create setup
`),
}

var django = &service{
	kind: Database, bare: asks, colons: true, spec: spec{short: "v:", long: "settings= pythonpath= verbosity= no-color traceback force-color env="}, dry: "--plan --pretend", verbs: verbsOf(`
asks: check showmigrations sqlmigrate diffsettings version inspectdb help list about findstatic sqlflush sqlsequencereset
asks route|migrate|config|db|queue|model: list status show monitor
prepares: makemigrations makemessages compilemessages startapp startproject collectstatic test testserver
prepares make: migration model controller seeder factory request resource test command middleware policy provider
changes: migrate loaddata createsuperuser changepassword createcachetable squashmigrations remove_stale_contenttypes optimizemigration tinker serve down up
changes db|queue|cache|config|key: seed work restart generate cache retry
shares: dumpdata
runs: shell dbshell runserver
destroys: flush clearsessions
destroys migrate|db|cache|config|queue: fresh reset refresh rollback wipe clear flush forget
`),
}

var rails = &service{
	kind: Database, bare: asks, colons: true, spec: spec{short: "e:", long: "environment="}, verbs: verbsOf(`
asks: routes about stats notes version middleware initializers
asks db: version abort_if_pending_migrations
asks db migrate: status
prepares: generate g new test spec
prepares assets: precompile clean
prepares zeitwerk: check
prepares test: system all models controllers
changes: destroy d
changes db: migrate create seed setup prepare rollback fixtures encryption
changes db migrate: up down redo
changes db schema|structure|test|cache|seed|queue: load dump prepare replant
runs: console c runner r dbconsole db server s
destroys db: drop reset purge truncate_all
destroys db migrate: reset
shares credentials: show edit

`),
}
