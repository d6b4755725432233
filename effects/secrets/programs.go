package secrets

import (
	"slices"
	"strings"
)

// form is how an option's value holds a secret.
type form uint8

const (
	plain   form = iota // all of it
	pair                // user:password
	percent             // user%password
	comma               // user,password
	header              // Name: value
	cookies             // name=value, or a file
	source              // pass:password, or where to read it
	member              // name=value
)

// option is one of a program's that takes a secret.
type option struct {
	name string // "" is an argument by its place
	form form
	// attached options have their value in the same argument (mysql -pX): without it
	// they ask for one.
	attached bool
	at       func(i int, args []string) bool
}

func plains(names ...string) []option {
	var out []option
	for _, n := range names {
		out = append(out, option{name: n})
	}
	return out
}

func formed(f form, names ...string) []option {
	out := plains(names...)
	for i := range out {
		out[i].form = f
	}
	return out
}

// behind is the argument that follows some words.
func behind(words ...string) option {
	return option{at: func(i int, args []string) bool {
		return i >= len(words) && slices.Equal(args[i-len(words):i], words)
	}}
}

var (
	curlOptions = slices.Concat(formed(pair, "-u", "--user", "-U", "--proxy-user", "-E", "--cert", "--proxy-cert"), formed(header, "-H", "--header", "--proxy-header"),
		formed(cookies, "-b", "--cookie"), plains("--oauth2-bearer", "--pass", "--proxy-pass", "--tlspassword", "--proxy-tlspassword"))
	wgetOptions    = slices.Concat(plains("--password", "--http-password", "--http-passwd", "--ftp-password", "--proxy-password"), formed(header, "--header"))
	httpieOptions  = append(formed(pair, "-a", "--auth"), option{form: header, at: func(i int, args []string) bool { return i > 0 && strings.Contains(args[i], ":") }})
	mysqlOptions   = []option{{name: "-p", attached: true}}
	mongoOptions   = plains("-p", "--password")
	redisOptions   = append(plains("-a", "--pass"), behind("AUTH"), behind("auth"), behind("requirepass"), behind("masterauth"))
	firstP         = plains("-p")
	sqlOptions     = plains("-P")
	opensslOptions = slices.Concat(formed(source, "-passin", "-passout", "-pass"), plains("-k", "-K", "-passwd", "-psk"))
	ldapOptions    = plains("-w")
	sambaOptions   = formed(percent, "-U", "--user")
	archiveOptions = []option{{name: "-p", attached: true}, {name: "-hp", attached: true}}
	zipOptions     = plains("-P", "--password")
	gpgOptions     = plains("--passphrase")
	keytoolOptions = plains("-storepass", "-keypass", "-srcstorepass", "-deststorepass", "-srckeypass", "-destkeypass", "-new")
	snmpOptions    = plains("-A", "-X", "-c")
	rdpOptions     = plains("/p:", "-p")
	lftpOptions    = formed(comma, "-u", "--user")
	vaultOptions   = []option{behind("login")}
	awsOptions     = []option{behind("configure", "set", "aws_secret_access_key"), behind("configure", "set", "aws_session_token"), behind("set", "aws_secret_access_key"), behind("set", "aws_session_token")}
	npmOptions     = []option{{at: func(i int, args []string) bool {
		return i > 1 && args[i-2] == "set" && rankOf(args[i-1]) >= medium
	}}}
	gitOptions = []option{{at: func(i int, args []string) bool {
		return i > 1 && slices.Contains(args[:i], "config") && rankOf(args[i-1]) >= medium && !strings.HasPrefix(args[i-1], "-")
	}}}
	ngrokOptions    = []option{behind("authtoken"), behind("add-authtoken")}
	loginOptions    = plains("-p", "--password")
	ghOptions       = plains("-b", "--body")
	azOptions       = plains("-p", "--password", "--account-key", "--sas-token", "--connection-string", "--admin-password")
	vercelOptions   = plains("-t", "--token")
	tailscaleOption = plains("--authkey", "--auth-key")
	databricks      = plains("--string-value")
	wpaOptions      = []option{{at: func(i int, args []string) bool { return i == 1 }}}
	nmcliOptions    = []option{behind("password")}
	htpasswdOptions = []option{{at: htpasswdPassword}}
	netOptions      = []option{{at: func(i int, args []string) bool {
		return i == 2 && args[0] == "user" && !strings.HasPrefix(args[2], "/")
	}}}
	mysqladmin = append([]option{behind("password")}, mysqlOptions...)
)

// htpasswdPassword is the last argument if -b is among the options.
func htpasswdPassword(i int, args []string) bool {
	return i == len(args)-1 && i > 1 && slices.ContainsFunc(args[:i], func(a string) bool {
		return strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.Contains(a, "b")
	})
}

// optionsOf are the options of a program that take a secret and whose names do not
// say so.
func optionsOf(program string, args []string) []option {
	switch program {
	case "curl", "curlie":
		return curlOptions
	case "wget", "wget2", "aria2c":
		return wgetOptions
	case "http", "https", "httpie", "xh", "xhs":
		return httpieOptions
	case "mysql", "mariadb", "mysqldump", "mariadb-dump", "mysqlimport", "mysqlcheck", "mysqlshow", "mycli":
		return mysqlOptions
	case "mysqladmin", "mariadb-admin":
		return mysqladmin
	case "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "cqlsh", "influx", "clickhouse-client":
		return mongoOptions
	case "redis-cli", "valkey-cli", "keydb-cli":
		return redisOptions
	case "sshpass":
		return firstP
	case "sqlcmd", "bcp", "tsql", "osql", "isql":
		return sqlOptions
	case "openssl":
		return opensslOptions
	case "ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami":
		return ldapOptions
	case "smbclient", "rpcclient", "net.samba", "smbget", "winexe":
		return sambaOptions
	case "7z", "7za", "7zr", "rar", "unrar":
		return archiveOptions
	case "zip", "unzip", "zipcloak":
		return zipOptions
	case "gpg", "gpg2":
		return gpgOptions
	case "keytool", "jarsigner":
		return keytoolOptions
	case "snmpwalk", "snmpget", "snmpset", "snmpbulkwalk":
		return snmpOptions
	case "xfreerdp", "wfreerdp", "rdesktop":
		return rdpOptions
	case "lftp", "ncftp":
		return lftpOptions
	case "wpa_passphrase":
		return wpaOptions
	case "nmcli":
		return nmcliOptions
	case "htpasswd":
		return htpasswdOptions
	case "net", "net1":
		return netOptions
	}
	return cloudOptions(program, args)
}

// cloudOptions are those of programs with commands of their own.
func cloudOptions(program string, args []string) []option {
	login := slices.Contains(args, "login")
	switch program {
	case "docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oc", "oras", "crane", "regctl":
		if login {
			return loginOptions
		}
	case "aws":
		return awsOptions
	case "az":
		return azOptions
	case "vault", "bao":
		if len(args) > 0 && args[0] == "login" {
			return vaultOptions
		}
	case "npm", "pnpm", "yarn":
		return npmOptions
	case "git":
		return gitOptions
	case "gh", "glab":
		if len(args) > 0 && args[0] == "secret" {
			return ghOptions
		}
	case "ngrok":
		return ngrokOptions
	case "vercel", "netlify":
		return vercelOptions
	case "tailscale":
		return tailscaleOption
	case "databricks":
		return databricks
	}
	return nil
}
