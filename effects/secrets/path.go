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
	if len(p) > 4096 {
		p = p[len(p)-4096:]
	}
	var buf [4096]byte
	n := 0
	for i := range len(p) {
		c := lower(p[i])
		if c == '\\' {
			c = '/'
		}
		if c == '/' && n > 0 && buf[n-1] == '/' {
			continue
		}
		buf[n] = c
		n++
	}
	for n > 1 && buf[n-1] == '/' {
		n--
	}
	clean := string(buf[:n])
	kind := folderKind(clean)
	if kind == "" {
		kind = fileKind(clean[strings.LastIndexByte(clean, '/')+1:], clean)
	}
	return kind, kind != ""
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
	for i := range folders {
		f := &folders[i]
		for from := 0; ; {
			n := strings.Index(p[from:], f.path)
			if n < 0 {
				break
			}
			at := from + n
			end := at + len(f.path)
			if (at == 0 || p[at-1] == '/' || p[at-1] == '~') && (end == len(p) || p[end] == '/') && !publicFile(p) {
				return f.kind
			}
			from = end
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
	for _, e := range [...]struct {
		end  string
		kind PathKind
	}{
		{".env", EnvironmentFile},
		{".pem", KeyFile},
		{".key", KeyFile},
		{".p12", KeyFile},
		{".pfx", KeyFile},
		{".jks", KeyFile},
		{".keystore", KeyFile},
		{".ppk", SSHFile},
		{".kdbx", PasswordStore},
		{".kdb", PasswordStore},
		{".keychain", PasswordStore},
		{".keychain-db", PasswordStore},
		{".keyring", PasswordStore},
		{".creds", NATSCredentials},
		{".nk", NATSCredentials},
		{".tfstate", StateWithSecrets},
		{".agekey", KeyFile},
		{".ovpn", LoginFile},
		{".keytab", KeyFile},
		{".asc", KeyFile},
		{".p8", KeyFile},
		{".tfvars", StateWithSecrets},
	} {
		if strings.HasSuffix(base, e.end) && len(base) > len(e.end) {
			if e.end == ".asc" && !strings.Contains(base, "secret") && !strings.Contains(base, "private") || strings.HasSuffix(base, "example"+e.end) {
				return ""
			}
			return e.kind
		}
	}
	if strings.HasSuffix(base, ".json") && (strings.HasPrefix(base, "service-account") || strings.HasPrefix(base, "service_account") || strings.HasPrefix(base, "serviceaccount") ||
		strings.HasPrefix(base, "gcp-key") || strings.HasPrefix(base, "client_secret")) {
		return CloudCredentials
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
