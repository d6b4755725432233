package effects

import "slices"

// backupPrograms keep copies, and lose them.
func backupPrograms() map[string]program {
	return map[string]program{
		"restic":     restic.program(),
		"rustic":     restic.program(),
		"borg":       borg.program(),
		"borgmatic":  borgmatic.program(),
		"rclone":     rclone.program(),
		"duplicity":  duplicity.program(),
		"kopia":      kopia.program(),
		"pgbackrest": pgBackRest.program(),
		"barman":     barman.program(),
		"wal-g":      walG.program(),
		"tarsnap":    {explainTarsnap},
		"timeshift":  {explainTarsnap},
	}
}

var restic = &service{
	kind: Cloud, bare: asks, dry: "--dry-run -n",
	spec: spec{short: "r:p:o:vqn", long: "repo= repository-file= password-file= password-command= option= verbose quiet json no-lock no-cache cache-dir= cacert= limit-download= limit-upload= tls-client-cert= key-hint= insecure-tls cleanup-cache"},
	run:  "--password-command -o --option", written: "--target",
	verbs: verbsOf(`
asks: snapshots stats version list ls find diff check cat
asks key: list
asks cache: list
fetches: dump
special: restore
changes: backup init copy tag migrate rebuild-index repair recover mount self-update generate rewrite unlock
changes key: add passwd
destroys: forget prune
destroys key: remove
`),
	specials: map[string]func(*request) bool{"restore": restoreFiles},
}

// restoreFiles writes what a backup has over what is there.
func restoreFiles(r *request) bool {
	if r.rehearsed() {
		r.say("service-asked", r.point(), r.verb)
		return true
	}
	for i, w := range r.rest {
		if text, _ := w.Value(); (text == "-t" || text == "--target") && i+1 < len(r.rest) {
			r.touchesAll(Write, r.rest[i+1], true)
			r.say("service-restores", r.point(), r.verb)
			return !r.hasOption("--delete", "--overwrite")
		}
	}
	return false
}

var borg = &service{
	kind: Cloud, bare: asks, dry: "--dry-run -n", quiet: "--lock-wait",
	spec: spec{short: "vpnr:", long: "verbose info debug progress log-json lock-wait= show-version show-rc umask= remote-path= remote-ratelimit= consider-part-files debug-topic= repo= rsh= bypass-lock critical error warning iec"},
	run:  "--rsh --remote-path",
	verbs: verbsOf(`
asks: list info diff check version help rlist rinfo repo-list repo-info
shares key: export
changes: create init rcreate repo-create rename upgrade mount umount with-lock transfer import-tar serve tag
changes key: change-passphrase import change-location
changes: extract export-tar config
destroys: delete rdelete prune compact recreate repo-delete break-lock undelete
`),
}

var borgmatic = &service{
	kind: Cloud, bare: noAct, dry: "--dry-run -n", spec: spec{short: "c:v:n", long: "config= verbosity= dry-run"}, verbs: verbsOf(`
asks: list rlist info rinfo check
changes: create init rcreate extract restore mount umount export-tar config
destroys: prune compact delete rdelete break-lock borg
`),
}

var rclone = &service{
	kind: Cloud, bare: asks, dry: "--dry-run -n", quiet: "--update",
	spec:    spec{short: "vqPniI", long: "config= verbose quiet progress transfers= checkers= log-level= log-file= bwlimit= stats= dry-run"},
	written: "--combined --differ --error --match --missing-on-dst --missing-on-src --log-file --output-file",
	run:     "--password-command --metadata-mapper --sftp-ssh --delete-after --delete-before --delete-during",
	verbs: verbsOf(`
asks: ls lsd lsl lsf lsjson size check cryptcheck hashsum md5sum sha1sum about version listremotes tree cat ncdu checksum help
asks config: file paths
shares config: show dump
shares: obscure reveal link
changes: copy copyto copyurl touch mkdir settier backend bisync test rcat
changes config: create update password providers reconnect edit
destroys: sync move moveto delete deletefile purge rmdir rmdirs cleanup dedupe
destroys config: delete disconnect
runs: mount serve rc rcd nfsmount selfupdate gui
`),
}

var duplicity = &service{
	kind: Cloud, bare: noAct, dry: "--dry-run", verbs: verbsOf(`
asks: collection-status list-current-files verify
changes: full incr incremental backup restore
destroys: remove-older-than remove-all-but-n-full remove-all-inc-of-but-n-full cleanup
`),
}

var kopia = &service{
	kind: Cloud, bare: noAct, spec: spec{short: "p:", long: "config-file= password= log-level="}, verbs: verbsOf(`
asks: list ls diff show
asks snapshot|policy|repository|manifest|content|blob|index|acl|server: list ls show status verify stats estimate info
changes snapshot|policy|repository|server|acl: create set connect disconnect migrate fix pin sync-to start edit import export add enable
changes: restore mount
destroys snapshot|policy|repository|manifest|content|blob|acl: delete expire remove gc prune rewrite
destroys maintenance: run
asks maintenance: info
`),
}

var pgBackRest = &service{
	kind: Database, bare: asks, spec: spec{long: "stanza= config= log-level-console= repo= output="}, verbs: verbsOf(`
asks: info check version repo-ls verify help
changes: backup restore stanza-create stanza-upgrade start archive-push archive-get annotate server
destroys: expire stanza-delete stop repo-rm
`),
}

var barman = &service{
	kind: Database, bare: asks, spec: spec{short: "c:q", long: "config= quiet"}, verbs: verbsOf(`
asks: list-server list-servers list-backup list-backups show-server show-backup check status diagnose list-files verify-backup
changes: backup recover cron receive-wal switch-wal switch-xlog keep generate-manifest sync-backup
destroys: delete
`),
}

var walG = &service{
	kind: Database, bare: asks, spec: spec{long: "config="}, verbs: verbsOf(`
asks: backup-list backup-show wal-show wal-verify help
changes: backup-push backup-fetch wal-push wal-fetch backup-mark wal-receive binlog-push
destroys: delete
`),
}

// explainTarsnap has options for verbs.
func explainTarsnap(in *invocation) bool {
	for _, w := range in.args {
		switch text, _ := w.Value(); text {
		case "--list-archives", "--print-stats", "--list", "-t":
			in.say("service-asked", in.span(w.Span), text)
			return len(in.args) <= 4 && !in.hasWord("-d", "--delete", "--nuke", "-x")
		}
	}
	return false
}

// hasWord reports whether one of some words is given.
func (in *invocation) hasWord(words ...string) bool {
	for _, w := range in.args {
		text, _ := w.Value()
		if slices.Contains(words, text) {
			return true
		}
	}
	return false
}
