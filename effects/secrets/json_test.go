package secrets_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects/secrets"
)

func TestJSONIsRedactedByNameAndShape(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`{"password":"hunter2"}`, `{"password":"[redacted: password]"}`},
		{`{ "a" : [ 1, true, null, "x" ] }`, `{"a":[1,true,null,"x"]}`},
		{`{"p\u0061ssword":"\u0068unter2"}`, `{"password":"[redacted: password]"}`},
		{`{"apiKey":{"v":"x"},"tokens":["a","b"],"pin":1234,"password":1234}`, `{"apiKey":"[redacted: credential]","tokens":"[redacted: credential]","pin":1234,"password":"[redacted: password]"}`},
		{`{"password":null,"token":"","max_tokens":10,"tokens":[1,2],"token_count":3}`, `{"password":null,"token":"","max_tokens":10,"tokens":[1,2],"token_count":3}`},
		{`{"command":"TOKEN=` + ghp + ` make"}`, `{"command":"TOKEN=[redacted: credential] make"}`},
		{`["` + ghp[:4] + `\u0061` + ghp[5:] + `"]`, `["[redacted: github token]"]`},
		{`{"env":[{"name":"API_KEY","value":"zyx98"},{"name":"A","value":"b"}]}`, `{"env":[{"name":"API_KEY","value":"[redacted: credential]"},{"name":"A","value":"b"}]}`},
		{`{"argv":["mysql","-u","root","-pletmein9","db"]}`, `{"argv":["mysql","-u","root","-p[redacted: password]","db"]}`},
		{`["curl","-u","me:letmein9","https://example.com"]`, `["curl","-u","me:[redacted: password]","https://example.com"]`},
		{`["tool","--password","letmein9"]`, `["tool","--password","[redacted: password]"]`},
		{`{"headers":{"Authorization":"Bearer abc","Accept":"*/*"}}`, `{"headers":{"Authorization":"[redacted: authorization]","Accept":"*/*"}}`},
		{`{"auth":{"type":"basic","user":"u","password":"p"},"session":"s1"}`, `{"auth":{"type":"basic","user":"u","password":"[redacted: password]"},"session":"s1"}`},
		{`{"token":"$TOKEN","api_key":"${API_KEY}"}`, `{"token":"$TOKEN","api_key":"${API_KEY}"}`},
		{`"` + gitlab + `"`, `"[redacted: gitlab token]"`},
	} {
		got, r := secrets.JSON(jsontext.Value(test.in), secrets.Limits{Depth: 9})
		if string(got) != test.want || r.Undisclosable || r.Cut || (r.Secrets > 0) != strings.Contains(test.want, "redacted") {
			t.Errorf("%s\n got %s, %+v\nwant %s", test.in, got, r, test.want)
		}
	}
}

func TestJSONThatCannotBeShownIsOneMarker(t *testing.T) {
	for _, in := range []string{
		`{"` + ghp + `":1}`, `{"password=hunter2":1}`, `{"a":1,"a":2}`, `{`, ``, `1 2`, "\"\xff\"", `{"a":"-----BEGIN ` + `PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC"}`,
	} {
		if got, r := secrets.JSON(jsontext.Value(in), secrets.Limits{}); string(got) != `"[redacted: undisclosable]"` || !r.Undisclosable {
			t.Errorf("%s: got %s, %+v", in, got, r)
		}
	}
}

func TestJSONIsBounded(t *testing.T) {
	var members []string
	for i := range 60 {
		members = append(members, fmt.Sprintf(`"k%02d":%d`, i, i))
	}
	limits := secrets.Limits{String: 40, Array: 3, Keys: 2, Depth: 2, Bulk: true}
	for _, test := range []struct {
		limits   secrets.Limits
		in, want string
	}{
		{limits, `"` + strings.Repeat("é", 50) + `"`, `"` + strings.Repeat("é", 20) + `[cut: 30 characters]"`},
		{limits, `[1,2,3]`, `[1,2,3]`},
		{limits, `[1,2,3,4]`, `[1,2,"[cut: 2 items]"]`},
		{limits, `{"a":1,"b":2,"c":3}`, `{"a":1,"[cut]":"[cut: 2 members]"}`},
		{limits, `[[1,[2]],{"a":{"b":1}}]`, `[[1,"[cut: 1 items]"],{"a":"[cut: 1 members]"}]`},
		{limits, `[[[]]]`, `[[[]]]`},
		{limits, `{"content":"a longer text","fileContent":"another text"}`, `{"content":"[cut: 13 characters]","fileContent":"[cut: 12 characters]"}`},
		{secrets.Limits{}, `{` + strings.Join(members, ",") + `}`, `{` + strings.Join(members[:49], ",") + `,"[cut]":"[cut: 11 members]"}`},
		{secrets.Limits{}, `[[[[1]]]]`, `[[["[cut: 1 items]"]]]`},
	} {
		got, _ := secrets.JSON(jsontext.Value(test.in), test.limits)
		if string(got) != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
		if again, _ := secrets.JSON(got, test.limits); string(again) != string(got) {
			t.Errorf("%s becomes %s", got, again)
		}
	}
}

func TestPositionKnowsProgramsAndOptions(t *testing.T) {
	for _, test := range []struct{ command, secret string }{
		{"mysql -uroot -pS3cret", "S3cret"},
		{"mysql --password=S3cret", "S3cret"},
		{"mysql -p db", ""},
		{"curl -u me:S3cret h", "S3cret"},
		{"curl -ume:S3cret h", "S3cret"},
		{"curl --user me h", ""},
		{"curl -H Authorization:S3cret h", "S3cret"},
		{"curl --user=me:S3cret h", "S3cret"},
		{"curl -b a=S3cret h", "a=S3cret"},
		{"curl -b jar.txt h", ""},
		{"curl --oauth2-bearer S3cret h", "S3cret"},
		{"sshpass -p S3cret ssh h", "S3cret"},
		{"sshpass -pS3cret ssh h", "S3cret"},
		{"docker login -u me -p S3cret", "S3cret"},
		{"docker run -p 80:80 nginx", ""},
		{"openssl enc -aes-256-cbc -pass pass:S3cret", "S3cret"},
		{"openssl enc -pass env:X", ""},
		{"openssl rsa -passin file:x", ""},
		{"redis-cli -a S3cret ping", "S3cret"},
		{"redis-cli AUTH S3cret", "S3cret"},
		{"aws configure set aws_secret_access_key S3cret", "S3cret"},
		{"ldapsearch -x -w S3cret", "S3cret"},
		{"smbclient -U me%S3cret //h/s", "S3cret"},
		{"zip -P S3cret a.zip b", "S3cret"},
		{"7z x -pS3cret a.7z", "S3cret"},
		{"tool --api-key S3cret", "S3cret"},
		{"tool --token=S3cret", "S3cret"},
		{"tool --token-file S3cret", ""},
		{"tool --password $PASSWORD", ""},
		{"tool DB_PASSWORD=S3cret", "S3cret"},
		{"npm config set //r.example.com/:_authToken S3cret", "S3cret"},
		{"git config github.token S3cret", "S3cret"},
		{"gh secret set NAME --body S3cret", "S3cret"},
		{"gh pr create --body S3cret", ""},
		{"vault login S3cret", "S3cret"},
		{"/usr/bin/curl -u me:S3cret h", "S3cret"},
		{"net user bob S3cret", "S3cret"},
		{"htpasswd -b file bob S3cret", "S3cret"},
		{"htpasswd file bob", ""},
		{"http -a me:S3cret h", "S3cret"},
		{"http h X-Api-Key:S3cret", "S3cret"},
		{"lftp -u me,S3cret h", "S3cret"},
		{"mysqladmin password S3cret", "S3cret"},
		{"xfreerdp /u:me /p:S3cret /v:h", "S3cret"},
		{"docker build --secret id=npm,src=x .", ""},
		{"llm --max-tokens 300", ""},
		{"keytool -storepass S3cret -list", "S3cret"},
	} {
		args := strings.Fields(test.command)
		var found strings.Builder
		for _, p := range secrets.Position(args[0], args[1:]) {
			found.WriteString(args[p.Argument+1][p.Start:p.End])
		}
		if found.String() != test.secret {
			t.Errorf("%s: got %q, want %q", test.command, found.String(), test.secret)
		}
	}
}

func TestAPathIsJudgedByItsSpelling(t *testing.T) {
	for _, p := range []string{
		".env", "a/.env", ".env.local", ".env*", ".ENV.production", "prod.env", "~/.ssh/id_rsa", "/home/dev/.ssh", "id_ed25519", "C:\\Users\\me\\.ssh\\id_rsa", "~/.aws/credentials", ".aws//credentials",
		"~/.kube/config", "/home/user/.docker/config.json", ".netrc", ".npmrc", ".pypirc", "~/.git-credentials", "server.pem", "tls.KEY", "a.p12", "x.kdbx", "/etc/shadow", "/etc/shadow/",
		"~/.local/share/keyrings/login.keyring", "~/.mozilla/firefox/x.default/logins.json", "~/Library/Keychains/login.keychain-db", "user.creds", "account.nk", "service-account-prod.json", "terraform.tfstate",
		"~/.gnupg/private-keys-v1.d/x", "/proc/1/environ", "~/.config/google-chrome/Default/Cookies", "/run/secrets/db", "~/.config/gcloud/application_default_credentials.json",
	} {
		if _, ok := secrets.Path(p); !ok {
			t.Errorf("%s is not known", p)
		}
	}
	for _, p := range []string{
		".env.example", ".env.sample", "env.go", "environment.ts", "README.md", "main.go", "secrets.go", "keys.go", "docs/password.md", "id_rsa.pub", "~/.ssh/known_hosts", "key.go", "monkey", "a.keys", "shadow.css",
		"kube/config.go", "config.json", "docker/config.json", "token.go", "tokenizer.json", "cookies.ts", "", "/", "package.json", "src/credentials/store.ts",
	} {
		if kind, ok := secrets.Path(p); ok {
			t.Errorf("%s is taken for %s", p, kind)
		}
	}
}

func TestANameIsSecretByItsWords(t *testing.T) {
	for n := range strings.FieldsSeq("password PGPASSWORD dbPassword apiKey API_KEY x-api-key clientSecret aws_secret_access_key GITHUB_TOKEN X-Auth-Token access_token refreshToken private-key MYSQL_PWD DB_PASS userpassword id_token credentials 密码") {
		if !secrets.Name(n) {
			t.Errorf("%s is not known", n)
		}
	}
	for n := range strings.FieldsSeq("token_file passwordPolicy author max_tokens public_key primaryKey key keyboard tokenizer monkey next_token path secret_name auth session session_id minPassword --secret-id api_key_id passed user compass authority client_id") {
		if secrets.Name(n) {
			t.Errorf("%s is taken for a secret's name", n)
		}
	}
	if _, ok := secrets.Assigned("PGPASSWORD", "hunter2"); !ok {
		t.Error("a variable's value is not known")
	}
	if _, ok := secrets.Assigned("PGPASSWORD", "$PASSWORD"); ok {
		t.Error("a reference is taken for a secret")
	}
}
