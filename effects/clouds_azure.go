package effects

import "strings"

var azure = &service{
	kind: Cloud, helps: true, bare: asks,
	spec: spec{
		short: "o:g:n:s:l:",
		long: "output= query= subscription= resource-group= name= only-show-errors debug verbose location= ids= account-name= account-key= auth-mode= container-name= vault-name= " +
			"server= server-name= database-name= connection-string= sas-token= resource= resource-type= api-version= namespace= cluster-name= registry= scope= assignee= organization= project=",
	},
	dry: "--what-if --dryrun --dry-run",
	verbs: verbsOf(`
asks: version find feedback survey
account: login logout
changes: configure upgrade interactive rest
` + deeper(4, stockVerbs) + deeper(4, `
asks: what-if validate wait list-* show-* get-* check-* exists tail stream query summarize
changes: invoke assign up sync swap regenerate renew generate-sas upload upload-batch download download-batch set-policy purge-* failover migrate cancel approve reject grant register unregister deallocate redeploy reimage capture generalize config-zip publish begin-* reset-* invoke-action set-* browse
changes: get-credentials
runs: invoke tunnel rdp shell command bastion run-command
destroys: delete-* delete-batch empty
shares: get-access-token list-keys list-connection-strings show-connection-string list-credentials list-publishing-credentials list-publishing-profiles
`) + `
changes acr: build login import run
changes account: set clear
shares account: get-access-token
asks account: list show list-locations
installs extension: add update remove
asks extension: list show list-available
`),
	refine: refineAzure,
}

// azureSecrets are kinds of things whose listing shows secrets.
var azureSecrets = []string{"keys", "appsettings", "connection-string", "credential", "publishing", "access-policy-key", "sas"}

func refineAzure(r *request) act {
	if r.act != asks {
		return r.act
	}
	for _, w := range r.args[:len(r.args)-len(r.rest)] {
		text, _ := w.Value()
		if indexAny(text, azureSecrets) || strings.HasPrefix(text, "secret") && !r.onlyLists() {
			return shares
		}
	}
	return asks
}
