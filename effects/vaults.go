package effects

import "strings"

// vaultPrograms keep secrets.
func vaultPrograms() map[string]program {
	return map[string]program{
		"vault":       vault.program(),
		"bao":         vault.program(),
		"op":          onePassword.program(),
		"doppler":     doppler.program(),
		"infisical":   infisical.program(),
		"sops":        {explainSops},
		"age":         {explainCipher},
		"pass":        passwordStore.program(),
		"gopass":      passwordStore.program(),
		"bw":          bitwarden.program(),
		"bws":         bitwarden.program(),
		"lpass":       lastPass.program(),
		"chamber":     chamber.program(),
		"keyctl":      keyctl.program(),
		"security":    keychain.program(),
		"secret-tool": secretTool.program(),
		"gpg":         {explainGPG},
		"gpg2":        {explainGPG},
		"kubeseal":    {explainCipher},
	}
}

var vault = &service{
	kind: Cloud, bare: asks,
	spec: spec{oneDash: true, long: "address= namespace= ca-cert= ca-path= client-cert= client-key= tls-server-name= tls-skip-verify header= mfa= format= field= wrap-ttl= no-color non-interactive mount="},
	verbs: verbsOf(`
asks: status version list path-help print
asks kv|secrets|auth|policy|audit|plugin|namespace|lease|token|transit: list lookup help capabilities
asks kv:  list
asks kv metadata: get
asks operator: members key-status diagnose usage
asks operator raft: list-peers
asks policy|namespace: read lookup
shares: read unwrap
shares kv: get
shares token: create
changes: write ssh pki
changes kv: put patch undelete rollback enable-versioning
changes kv metadata: put patch
changes secrets|auth|audit|plugin|policy|namespace|lease|token|transit: enable tune move write fmt register renew create lock unlock reload import
changes operator: init unseal rotate rekey migrate raft generate-root
runs: agent proxy server debug monitor
destroys: delete
destroys kv: delete destroy
destroys kv metadata: delete
destroys secrets|auth|audit|plugin|policy|namespace|lease|token: disable deregister delete revoke
destroys operator: seal step-down
account: login
`),
}

var onePassword = &service{
	kind: Cloud, bare: asks, spec: spec{long: "account= vault= format= session= config= cache debug iso-timestamps no-color encoding="}, verbs: verbsOf(`
asks: whoami update completion
asks item|vault|group|user|account|document|connect|events-api|service-account: list ls
asks vault|group|user|account: get
shares: read inject
shares item|document: get
shares item: share
changes item|vault|group|user|account|document|connect|service-account|events-api: create edit add move provision confirm reactivate forget grant ratelimit
changes vault|group|connect user|group|vault|server|token: grant revoke create edit
runs: run plugin
destroys item|vault|group|user|document|connect: delete suspend remove rm archive
account: signin signout
`),
}

var doppler = &service{
	kind: Cloud, bare: asks, spec: spec{short: "p:c:t:", long: "project= config= token= scope= json silent debug api-host= config-dir= print-config no-check-version no-verify-tls timeout="}, verbs: verbsOf(`
asks: me activity settings changelog open
asks projects|configs|environments|workplace: get list
asks configs logs: get list
asks: projects configs environments
asks secrets: names
shares: secrets
shares secrets: get download substitute
shares configs tokens: create get list
shares configure: get
changes projects|configs|environments|secrets|configs: create update rename set upload clone lock unlock notes
changes: setup configure import
changes configs logs: rollback
runs: run
destroys projects|configs|environments|secrets: delete
destroys configs tokens: revoke
account: login logout
`),
}

var infisical = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: scan
shares: export secrets
shares secrets: get folders
changes secrets: set
changes: init
runs: run
destroys secrets: delete
account: login user reset
`),
}

var passwordStore = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: ls list find search version
shares: show grep
changes: insert edit generate mv rename cp copy init git otp
destroys: rm remove delete
`),
}

var bitwarden = &service{
	kind: Cloud, bare: asks, spec: spec{short: "t:", long: "session= access-token= pretty raw quiet nointeraction organizationid= output="}, verbs: verbsOf(`
asks: status sync update sdk-version
asks list: folders collections organizations org-collections org-members
asks project: list
shares: get export send
shares list: items
shares secret: get list
changes: create edit share move restore confirm import generate encode config
changes project|secret: create edit
runs: serve run
destroys: delete
destroys project|secret: delete
account: login logout lock unlock
`),
}

var lastPass = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: status ls
shares: show export
changes: add edit generate duplicate mv share import sync passwd
destroys: rm
account: login logout
`),
}

var chamber = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: list list-services history find version tag
shares: read export env
changes: write import
runs: exec
destroys: delete
`),
}

var keyctl = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: show list rlist describe rdescribe search request supports
shares: print read pipe
changes: add padd newring update link unlink setperm chown chgrp timeout session instantiate
destroys: revoke clear purge invalidate unlink
`),
}

var keychain = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
asks: list-keychains default-keychain login-keychain show-keychain-info find-certificate find-identity verify-cert error help smartcards
shares: find-generic-password find-internet-password find-key dump-keychain export dump-trust-settings
changes: create-keychain lock-keychain unlock-keychain set-keychain-settings set-keychain-password add-generic-password add-internet-password add-certificates import set-key-partition-list add-trusted-cert authorizationdb
destroys: delete-keychain delete-generic-password delete-internet-password delete-certificate delete-identity remove-trusted-cert
`),
}

var secretTool = &service{
	kind: Cloud, bare: asks, verbs: verbsOf(`
shares: lookup search
changes: store
destroys: clear
account: lock
`),
}

// explainSops reads and writes files that are encrypted in parts.
func explainSops(in *invocation) bool {
	for _, w := range in.args {
		switch text, _ := w.Value(); text {
		case "-e", "--encrypt", "encrypt", "updatekeys", "rotate", "-r", "--rotate", "set", "unset", "-i", "--in-place", "publish", "groups", "keyservice":
			return false
		}
	}
	in.does(SecretRead, "sops", in.Span)
	return true
}

// explainCipher encrypts or decrypts files.
func explainCipher(in *invocation) bool {
	before := len(in.effects)
	for i, w := range in.args {
		text, _ := w.Value()
		switch {
		case text == "-d" || text == "--decrypt" || text == "--recovery-unseal":
			in.does(SecretRead, in.name, w.Span)
		case (text == "-o" || text == "--output") && i+1 < len(in.args):
			in.writesUnlessDash(in.args[i+1])
		}
	}
	return len(in.effects) > before
}

// gpgChanges are commands of gpg that change its keys, and gpgShares those that give
// out secret ones.
const (
	gpgAsks    = "--list-keys -k --list-public-keys --list-secret-keys -K --list-sigs --fingerprint --list-packets --verify --version --list-config --check-sigs --with-colons --export --print-md"
	gpgShares  = "--export-secret-keys --export-secret-subkeys --export-ssh-key --decrypt -d --export-ownertrust --show-session-key --passwd"
	gpgChanges = "--gen-key --full-gen-key --full-generate-key --generate-key --quick-gen-key --quick-generate-key --import --edit-key --sign-key --lsign-key --recv-keys --refresh-keys --search-keys --receive-keys --import-ownertrust --update-trustdb --quick-add-key --gen-revoke --fetch-keys"
	gpgLoses   = "--delete-keys --delete-key --delete-secret-keys --delete-secret-key --delete-secret-and-public-key --quick-revoke-uid"
	gpgSends   = "--send-keys"
	gpgMakes   = "--sign -s --clearsign --clear-sign --detach-sign --detach-sig -b --encrypt -e --symmetric -c --store --dearmor --enarmor"
)

// explainGPG reads the command among the options.
func explainGPG(in *invocation) bool {
	understood := false
	for i, w := range in.args {
		text, _ := w.Value()
		name, _, _ := strings.Cut(text, "=")
		switch {
		case listed(gpgAsks, name):
			understood = true
		case listed(gpgShares, name):
			understood = true
			in.does(SecretRead, "gpg "+name, w.Span)
		case listed(gpgChanges, name):
			understood = true
			in.say("service-account", in.span(w.Span), name)
		case listed(gpgLoses, name):
			understood = true
			in.say("service-destroys", in.span(w.Span), name)
		case listed(gpgSends, name):
			understood = true
			in.does(Send, "gpg "+name, w.Span)
		case listed(gpgMakes, name):
			understood = true
			in.say("service-account", in.span(w.Span), name)
		case (name == "-o" || name == "--output") && i+1 < len(in.args):
			in.writesUnlessDash(in.args[i+1])
		}
	}
	return understood
}
