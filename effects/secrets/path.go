package secrets

import "strings"

// PathKind says what a file that holds secrets is.
type PathKind string

// The kinds of files that hold secrets.
const (
	EnvironmentFile  PathKind = "environment file"
	SSHFile          PathKind = "ssh key or folder"
	KeyFile          PathKind = "key file"
	CloudCredentials PathKind = "cloud credentials"
	ClusterAccess    PathKind = "cluster access"
	RegistryLogin    PathKind = "registry login"
	LoginFile        PathKind = "login file"
	PasswordStore    PathKind = "password store"
	BrowserData      PathKind = "browser data"
	AccountDatabase  PathKind = "account database"
	NATSCredentials  PathKind = "nats credentials"
	StateWithSecrets PathKind = "state with secrets"
	NamedSecret      PathKind = "file named like a secret"
	ProcessSecrets   PathKind = "another process's environment"
)

// Path reports whether a path is spelled like a file, or a folder of files, that holds
// secrets. Case does not count, and a backslash is a slash. It looks at nothing but
// the name.
func Path(p string) (PathKind, bool) {
	p = plainPath(p[max(0, len(p)-4096):])
	kind := folderKind(p)
	if kind == "" {
		kind = fileKind(p[strings.LastIndexByte(p, '/')+1:], p)
	}
	return kind, kind != ""
}

// plainPath is a path in small letters, with slashes, none of them doubled or last.
func plainPath(p string) string {
	plain := !strings.HasSuffix(p, "/")
	for i := 0; plain && i < len(p); i++ {
		plain = !is(p[i], upperBit) && p[i] != '\\' && (p[i] != '/' || i == 0 || p[i-1] != '/')
	}
	if plain {
		return p
	}
	out := make([]byte, 0, len(p))
	for i := range len(p) {
		c := lower(p[i])
		if c == '\\' {
			c = '/'
		}
		if c != '/' || len(out) == 0 || out[len(out)-1] != '/' {
			out = append(out, c)
		}
	}
	if n := len(out); n > 1 && out[n-1] == '/' {
		out = out[:n-1]
	}
	return string(out)
}

// folders hold secrets whatever a file in them is called. Each is looked for as whole
// names of a path.
var folders = []struct {
	path string
	kind PathKind
}{
	{".ssh", SSHFile},
	{".gnupg", KeyFile},
	{".aws", CloudCredentials},
	{".azure", CloudCredentials},
	{".config/gcloud", CloudCredentials},
	{".oci", CloudCredentials},
	{".config/doctl", CloudCredentials},
	{".config/hub", LoginFile},
	{".config/gh/hosts.yml", LoginFile},
	{".config/glab-cli", LoginFile},
	{".kube", ClusterAccess},
	{".docker/config.json", RegistryLogin},
	{".config/containers/auth.json", RegistryLogin},
	{"containers/auth.json", RegistryLogin},
	{".password-store", PasswordStore},
	{".local/share/keyrings", PasswordStore},
	{"library/keychains", PasswordStore},
	{".config/kwalletd", PasswordStore},
	{".local/share/kwalletd", PasswordStore},
	{".config/1password", PasswordStore},
	{".config/bitwarden", PasswordStore},
	{".mozilla", BrowserData},
	{".config/google-chrome", BrowserData},
	{".config/chromium", BrowserData},
	{".config/bravesoftware", BrowserData},
	{".config/microsoft-edge", BrowserData},
	{"google/chrome/user data", BrowserData},
	{"application support/google/chrome", BrowserData},
	{"application support/firefox", BrowserData},
	{"mozilla/firefox/profiles", BrowserData},
	{".thunderbird", BrowserData},
	{"etc/shadow", AccountDatabase},
	{"etc/gshadow", AccountDatabase},
	{"etc/sudoers", AccountDatabase},
	{"etc/sudoers.d", AccountDatabase},
	{"etc/ssl/private", KeyFile},
	{"etc/krb5.keytab", KeyFile},
	{"etc/kubernetes/pki", ClusterAccess},
	{"etc/kubernetes/admin.conf", ClusterAccess},
	{"etc/rancher/k3s/k3s.yaml", ClusterAccess},
	{"run/secrets", NamedSecret},
	{"var/run/secrets", NamedSecret},
	{".config/sops/age", KeyFile},
	{".nkeys", NATSCredentials},
	{".local/share/nats/nsc/keys", NATSCredentials},
	{".terraform.d/credentials.tfrc.json", CloudCredentials},
	{".config/rclone/rclone.conf", CloudCredentials},
	{".config/op", PasswordStore},
	{"system32/config/sam", AccountDatabase},
	{"ntds.dit", AccountDatabase},
	{".bitcoin", KeyFile},
	{".ethereum/keystore", KeyFile},
	{".config/solana/id.json", KeyFile},
	{".cargo/credentials", LoginFile},
	{".cargo/credentials.toml", LoginFile},
	{".gem/credentials", LoginFile},
	{".m2/settings.xml", LoginFile},
	{".m2/settings-security.xml", LoginFile},
	{".gradle/gradle.properties", LoginFile},
	{".composer/auth.json", LoginFile},
	{".nuget/nuget.config", LoginFile},
}

// folderKind finds a folder's name as whole names within a path.
func folderKind(p string) PathKind {
	for at := range len(p) {
		if at > 0 && p[at-1] != '/' && p[at-1] != '~' || strings.IndexByte(".elgamrsvnc", p[at]) < 0 {
			continue
		}
		for i := range folders {
			f := &folders[i]
			if f.path[0] != p[at] || !strings.HasPrefix(p[at:], f.path) {
				continue
			}
			if end := at + len(f.path); (end == len(p) || p[end] == '/') && !publicFile(p) {
				return f.kind
			}
		}
	}
	if strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
		return ProcessSecrets
	}
	return ""
}

// publicFile is one that stands among secrets and is none.
func publicFile(p string) bool {
	return strings.HasSuffix(p, ".pub") || strings.HasSuffix(p, "/known_hosts") || strings.HasSuffix(p, "/.aws/config")
}

// fileKind judges a file's name.
func fileKind(base, p string) PathKind {
	switch base {
	case ".env", ".envrc", ".flaskenv":
		return EnvironmentFile
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ed25519_sk", "id_ecdsa_sk", "ssh_host_rsa_key", "ssh_host_ed25519_key", "ssh_host_ecdsa_key", "identity":
		if base == "identity" && !strings.Contains(p, "ssh") {
			return ""
		}
		return SSHFile
	case ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".vault-token", ".dockercfg", ".s3cfg", ".boto",
		".credentials.yaml", ".credentials.json", ".yarnrc.yml", ".authinfo", ".authinfo.gpg", ".fetchmailrc", ".msmtprc", ".rediscli_auth", "credentials", "credentials.json",
		"credentials.yaml", "credentials.yml", "credentials.tfrc.json", "master.key", "client_secret.json", "token.json", "auth.json", "secrets.json", "secrets.yaml", "secrets.yml",
		"secrets.toml", "secrets.env", "secret.yaml", "secret.json", "credentials.toml", "credentials.xml", "passwords.txt", "application_default_credentials.json":
		return LoginFile
	case "kubeconfig", "kubeconfig.yaml", "kubeconfig.yml":
		return ClusterAccess
	case "login data", "login data for account", "cookies", "cookies.sqlite", "logins.json", "key4.db", "key3.db", "web data", "signons.sqlite":
		return BrowserData
	case "shadow", "gshadow", "master.passwd":
		return AccountDatabase
	case "wallet.dat", "keystore.jks", "truststore.jks":
		return KeyFile
	case "terraform.tfstate", "terraform.tfstate.backup":
		return StateWithSecrets
	}
	return extensionKind(base)
}

func extensionKind(base string) PathKind {
	if rest, ok := strings.CutPrefix(base, ".env"); ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "_") || strings.HasPrefix(rest, "-")) {
		return environment(rest[1:])
	}
	if kind := endKind(base); kind != "" {
		return kind
	}
	if strings.HasSuffix(base, ".json") && (strings.HasPrefix(base, "service-account") || strings.HasPrefix(base, "service_account") || strings.HasPrefix(base, "serviceaccount") ||
		strings.HasPrefix(base, "gcp-key") || strings.HasPrefix(base, "client_secret")) {
		return CloudCredentials
	}
	return ""
}

// endKind judges what follows a name's last dot.
func endKind(base string) PathKind {
	dot := strings.LastIndexByte(base, '.')
	if dot <= 0 || strings.HasSuffix(base[:dot], "example") {
		return ""
	}
	switch base[dot+1:] {
	case "env":
		return EnvironmentFile
	case "pem", "key", "p12", "pfx", "jks", "keystore", "agekey", "keytab", "p8":
		return KeyFile
	case "asc":
		if strings.Contains(base, "secret") || strings.Contains(base, "private") {
			return KeyFile
		}
	case "ppk":
		return SSHFile
	case "kdbx", "kdb", "keychain", "keychain-db", "keyring":
		return PasswordStore
	case "creds", "nk":
		return NATSCredentials
	case "tfstate", "tfvars":
		return StateWithSecrets
	case "ovpn":
		return LoginFile
	}
	return ""
}

// environment tells .env.production from .env.example.
func environment(rest string) PathKind {
	for _, public := range [...]string{"example", "sample", "template", "dist", "schema", "defaults", "tpl", "d.ts", "ts", "js"} {
		if rest == public || strings.HasSuffix(rest, "."+public) {
			return ""
		}
	}
	return EnvironmentFile
}
