package secrets_test

import (
	"strings"
	"testing"

	"github.com/docket-engine/docket/effects/secrets"
)

// Shapes are written in pieces, so that no scanner of repositories takes this file
// for a leak.
const (
	ghp     = "gh" + "p_" + "a8Kd03LmQz71XvBn55TyUu92PoWe"
	pat     = "github" + "_pat_" + "11ABCDE0a8Kd03LmQz71_XvBn55TyUu92PoWeRt"
	gitlab  = "gl" + "pat-" + "a8Kd03LmQz71XvBn55Ty"
	slack   = "xo" + "xb-" + "123456789012-a8Kd03LmQz71XvBn"
	google  = "AI" + "za" + "SyA8Kd03LmQz71XvBn55TyUu92PoWe3kLmN"
	stripe  = "sk" + "_live_" + "a8Kd03LmQz71XvBn55TyUu"
	npm     = "np" + "m_" + "a8Kd03LmQz71XvBn55TyUu92PoWe8Kd03LmQ"
	openai  = "s" + "k-" + "a8Kd03LmQz71XvBn55TyUu92PoWe"
	claude  = "s" + "k-ant-" + "api03-a8Kd03LmQz71XvBn55TyUu92PoWe"
	hugging = "h" + "f_" + "a8KdLmQzXvBnTyUuPoWea8Kd03LmQz71Xv"
	pypi    = "py" + "pi-" + "AgEIcHlwaS5vcmcCJGE4S2QwM0xtUXo3MVh2Qm4"
	ocean   = "do" + "p_v1_" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	grid    = "S" + "G." + "a8Kd03LmQz71XvBn55TyUu." + "92PoWea8Kd03LmQz71XvBn55TyUu92PoWea8Kd03Lm"
	twilio  = "S" + "K" + "0123456789abcdef0123456789abcdef"
	vault   = "hv" + "s." + "CAESIa8Kd03LmQz71XvBn55TyUu92PoWe"
	bot     = "123456789" + ":AA" + "a8Kd03LmQz71XvBn55TyUu92PoWeRtYu3"
	akia    = "AK" + "IA" + "Q3EXAMPL7KDLMQZX"
	awsLong = "wJal" + "rXUtnFEMI7K3MDENGbPxRfiCYzzKEY8aB0cD"
	seed    = "SU" + "AKSLC3FGH2A7WX4QDYXQ5MJ2RZN6TVBUEO7PLKSHGD3FAQZX5TYUWM4I"
	age     = "AGE-" + "SECRET-KEY-1" + "QZ71XVBN55TYUU92POWEA8KD03LMQZ71XVBN55TYUU92POWEA8KD03LMQ"
	jwt     = "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "a8Kd03LmQz71XvBn55TyUu92PoWe"
	pem     = "-----BEGIN " + "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n-----END " + "PRIVATE KEY-----"
)

func shapes() map[string]string {
	return map[string]string{
		"github token": ghp, "github fine-grained": pat, "gitlab": gitlab, "slack": slack, "google": google, "stripe": stripe, "npm": npm, "openai": openai,
		"anthropic": claude, "hugging face": hugging, "pypi": pypi, "digitalocean": ocean, "sendgrid": grid, "twilio": twilio, "vault": vault,
		"telegram": bot, "aws": akia, "nats": seed, "age": age, "jwt": jwt, "pem": pem,
	}
}

// exposes reports whether a text holds six bytes in a row of a secret's.
func exposes(out, secret string) string {
	for i := 0; i+6 <= len(secret); i++ {
		if piece := secret[i : i+6]; strings.Contains(out, piece) && !strings.Contains("PRIVATE KEY BEGIN -----END AGE-SECRET-KEY-1 github", piece) {
			return piece
		}
	}
	return ""
}

func TestAShapeIsFoundWhereverItStands(t *testing.T) {
	frames := []string{
		"%", "x %", "% y", "echo '%'", `{"a":"%"}`, `curl -H "X: %" h`, "a=%", "A=% B=2", "(%)", "<%>", "https://example.com/p?x=%&y=1", "line\n%\nline", "密：%。", "`%`", "[%,1]",
	}
	for name, secret := range shapes() {
		for _, frame := range frames {
			text := strings.Replace(frame, "%", secret, 1)
			out, spans, undisclosable := secrets.Text(text)
			if undisclosable || len(spans) == 0 || exposes(out, secret) != "" {
				t.Errorf("%s in %q: got %q, %v, %v", name, frame, out, spans, undisclosable)
			}
		}
	}
}

func TestASecretIsFoundByItsPlace(t *testing.T) {
	const s = "hunter2x9"
	for _, text := range []string{
		"password=" + s, "PASSWORD=" + s, "export DB_PASSWORD='" + s + "'", `export DB_PASSWORD="` + s + `"`, "PGPASSWORD=" + s + " psql -h db", "password: " + s,
		`{"password":"` + s + `"}`, `{"password" : "` + s + `", "a":1}`, `{\"password\":\"` + s + `\"}`, `"{\\\"password\\\":\\\"` + s + `\\\"}"`, "{'apiKey': '" + s + "'}",
		"--password " + s, "--password=" + s, "--password '" + s + "'", "--api-key " + s + " run", `["--password", "` + s + `"]`, "-password " + s, "clientSecret: " + s, "client-secret=" + s,
		"api_key = '" + s + "'", `const apiKey = "` + s + `";`, `password: str = "` + s + `"`, `var token string = "` + s + `"`, `password := "` + s + `"`, "passphrase: " + s,
		"postgres://app:" + s + "@db/app", "https://u:" + s + "@example.com/x", "redis://:" + s + "@host:6379", "mongodb+srv://u:" + s + "@c.example.net/?retryWrites=true",
		"postgres://app:ab/" + s + "@db/app", "https://example.com/cb#access_token=" + s + "&x=1", "https://example.com/?api_key=" + s, "https://example.com/?q=1&sig=" + s,
		"https://example.com/?key=" + s, "https://example.com/?password=" + s + "#top", "Authorization: Bearer " + s, "Authorization: token " + s, "authorization: " + s,
		`-H "Authorization: Bearer ` + s + `"`, `-H 'X-Api-Key: ` + s + `'`, `-H "Cookie: sid=` + s + `; a=b"`, "Set-Cookie: sid=" + s + "; Path=/", "Proxy-Authorization: Basic " + s,
		`-H Authorization:\ Bearer\ ` + s, `{"Authorization": "Bearer ` + s + `"}`, "machine example.com login me password " + s, "aws configure set aws_secret_access_key " + s,
		"CREATE USER u IDENTIFIED BY '" + s + "'", "ALTER ROLE u PASSWORD '" + s + "'", "requirepass " + s, `os.environ["API_TOKEN"] = "` + s + `"`, `setenv("API_TOKEN", "` + s + `")`,
		"Server=db;Uid=app;Pwd=" + s + ";Database=x", "AccountKey=" + s + "==;EndpointSuffix=core.windows.net", "user=app password=" + s + " host=db", "password: |\n  " + s + "\n",
		"${DB_PASSWORD:-" + s + "}", "PASSWORD=${X:-" + s + "}", "//registry.example.com/:_authToken=" + s, "password=ab\"cd" + s, `password='it'\''s` + s + `'`, `password = "a" + "` + s + `"`,
		`"auths":{"r.example.com":{"auth":"dXNlcjpodW50ZXIyeDk="}}` + " password=" + s, "密码：" + s, "密码: " + s, "%70assword=" + s, `p\u0061ssword=` + s, `"passwords": ["` + s + `", "b"]`,
		"kubectl create secret generic x --from-literal=password=" + s, "docker run -e DB_PASSWORD=" + s + " app", "password: correct horse " + s, "mysql://root:" + s + "@h",
		"PASSWORD: 'two words " + s + "'", "curl -d 'user=me&password=" + s + "' h", `curl -d "{\"user\":\"me\",\"password\":\"` + s + `\"}" h`, "'password=a b " + s + "'",
		"https://hooks.slack.com/services/T01/B02/" + s, "-----BEGIN NATS USER JWT-----\n" + s + "\n------END NATS USER JWT------\n", "https://x.blob.core.windows.net/c?sv=1&sig=" + s + "%3D&se=2",
		"TWILIO_AUTH_TOKEN=" + s, "'Authorization': f\"Bearer " + s + "\"", "https://" + "abc9" + s + "def@example.com/r", "password: '" + s + "' # x", "-e MYSQL_ROOT_PASSWORD=" + s, "password => '" + s + "'",
		"curl -u me:" + s + " https://example.com", "curl --proxy-user me:" + s + " -x p https://example.com", "curl --user me:" + s + " h", "mysql -uroot -p" + s + " db", "sudo docker login -u me -p " + s, "make && sshpass -p '" + s + "' ssh h", "x=$(redis-cli -a " + s + " ping)", "otp=" + s,
		"openssl rsa -in k -passin pass:" + s, "if password == \"" + s + "\" {", "my password is " + s, "curl -s -X POST -u 'me:" + s + "' h", `bash -c "mysql -p` + s + ` db"`, "echo x | curl -K - -u me:" + s,
		"password\u200b=" + s, "pass\"word\"=x " + ghp + " --token=" + s,
	} {
		if out, _, undisclosable := secrets.Text(text); exposes(out, s) != "" || undisclosable {
			t.Errorf("%q is shown as %q (undisclosable %v)", text, out, undisclosable)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"git show 0123456789abcdef0123456789abcdef01234567", "id 123e4567-e89b-12d3-a456-426614174000", "h1:Q8vAa0Zz71XvBn55TyUu92PoWea8Kd03LmQz71XvBn5=", "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		`"integrity": "sha512-Q8vAa0Zz71XvBn55TyUu92PoWea8Kd03LmQz71XvBn55TyUu92PoWea8Kd03LmQz71XvBn55TyUu92PoWe=="`, "reset the password page", "the token is parsed by the lexer",
		"git commit -m 'auth: fix the login'", "git commit -m 'feat(token): handle the end of input'", "fix: forgotten password link", "func (t *token) next() token {", "for token := range tokens {",
		"token := lexer.Next()", "token = self.next_token()", "password = getpass.getpass()", "password=password", "login(user, password)", "f(password=user.password)", "token: string;", "password: str",
		"password?: string", "password: None", "tokens = tokenizer.encode(text)", "max_tokens: 4096", `"max_tokens": 4096`, `{"total_tokens": 12, "prompt_tokens": 4}`, "--max-tokens 200",
		"--token-file /etc/app/token", "--password-stdin", "docker login -u me --password-stdin", "TOKEN=$TOKEN", "--token $TOKEN", `--token "$TOKEN"`, "--token=${TOKEN}", "PASSWORD=$(cat /tmp/p)",
		`curl -H "Authorization: Bearer $TOKEN" h`, `-H "Authorization: Bearer ${TOKEN}"`, `os.environ["TOKEN"]`, `token = os.environ["TOKEN"]`, `token = os.getenv("TOKEN")`, "token: process.env.TOKEN",
		"password: ${{ secrets.DB_PASSWORD }}", "password: {{ .Values.password }}", "token=<your-token>", "API_KEY=your-api-key-here", "PASSWORD=xxxxxxxx", "PASSWORD=********", "password: changeme",
		"PWD=/workspace/demo", "PWD=/workspace/demo make", "cd $PWD", "SSH_AUTH_SOCK=/run/user/1000/agent", "git@github.com:org/repo.git", "https://github.com/org/repo", "https://host:8080/x",
		"http://localhost:3000/api/users/42", "https://medium.com/@someone/post", "https://registry.npmjs.org/@scope/pkg", "postgres://app:$PGPASSWORD@db/app", "postgres://app@db/app", "key: value",
		"keys=a,b,c", "--key-file=x.txt", "author=me", "kubectl get secret db -o yaml", "kubectl create secret generic db", "secret/db created", "gh secret set NAME", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"grep -r 'BEGIN RSA PRIVATE KEY' .", `grep -rn -- "-----BEGIN RSA PRIVATE KEY-----" src`, "skip-this-test", "sk-learn-docs", "task-force-alpha", "npm_config_cache=/tmp/x", "npm_lifecycle_event", "half_open",
		"session=1", "cookie cutter", "pass: 5, fail: 2", "PASS: TestX", "--- FAIL: TestToken (0.00s)", "public_key=abc", "primary key (id)", "foreign key", "ssh-keygen -t ed25519", "nextToken=12", "page_token: abc123def456",
		"sort_key=name", "bearer of news", "Basic usage of the tool", "basic auth", "see https://example.com/docs#token", "a::b", "x == y", "if token == null {", "if (password != other) {", "openssl rand -hex 32",
		"access_key_id=x", "password_file=/etc/x", "tokenizer=bert", "secretary: Ann", "rm -rf build && go test ./...", "awk -F: '{print $1}' /etc/passwd", "--secret id=npm,src=/tmp/x", "docker run -p 80:80 x", "mkdir -p a/b", "cp -u a b", "ssh -p 2222 h", "curl -u $USER:$PASS h", "mysql -p db", "the password is required", "if token == \"EOF\" {", "aws secretsmanager get-secret-value --secret-id app/db", "--secret=db-password", "nats --creds FILE stream ls", "--token TOKEN",
		"minPassphrase = 8", `f("password", "http-password", "proxy-password")`, `return refusal("credential", "it is of another account")`, `input("Password: ")`, `read -s -p "Password: " PW`,
		`case "password", "user_name":`, "found by the object identified by its name", "password= user= host=", "secret *[32]byte", `"seed":"fork"`, "session_id: agent-7", `"x password": run(a),`,
		"opts.User, opts.Password = dbUser, dbWord", "tokens = []string{a}", "file:///etc/passwd: read", "--- PASS: TestAddr/v4_1 (0.00s)", "pwd := run(1)", "s.pwd = dir2", `"sshpass": wrapper},`, "IMAGE_TOKEN = 0x0007", "apiSecrets = []string{\"a1b2c3\"}", "echo \"don't\"",
	} {
		if out, spans, undisclosable := secrets.Text(text); out != text || undisclosable {
			t.Errorf("%q is shown as %q (%v, undisclosable %v)", text, out, spans, undisclosable)
		}
	}
}

func TestWhatCannotBeDelimitedIsUndisclosable(t *testing.T) {
	for _, text := range []string{
		pem[:60], strings.ReplaceAll(pem[:60], "\n", `\n`), "x\n" + pem[30:], `password="ab$(curl example.com)"`, `PASSWORD=$(echo x`, `"passwords": ["a", "b`, "password=ab\xffcdef", ghp + "\xff" + ghp,
		"echo '" + pem[:70] + "'",
	} {
		if out, spans, undisclosable := secrets.Text(text); !undisclosable || out != "[redacted: undisclosable]" || spans != nil {
			t.Errorf("%q is shown as %q, %v", text, out, spans)
		}
	}
}

func TestAMarkerNamesTheKindAndNothingElse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"curl -H 'Authorization: Bearer " + ghp + "' h", "curl -H 'Authorization: Bearer [redacted: authorization]' h"},
		{"git clone https://me:" + ghp + "@github.com/o/r", "git clone https://me:[redacted: password]@github.com/o/r"},
		{"A=" + ghp + " make", "A=[redacted: github token] make"},
		{"DB_PASSWORD=hunter2 make", "DB_PASSWORD=[redacted: password] make"},
		{"key:\n" + pem + "\nend", "key:\n[redacted: private key]\nend"},
		{"id=" + akia + " secret=" + awsLong, "id=[redacted: aws key] secret=[redacted: credential]"},
		{akia + "," + awsLong, "[redacted: aws key],[redacted: aws key]"},
		{`{"user":"a","password":"b"}`, `{"user":"a","password":"[redacted: password]"}`},
		{"cmd --token abc; next", "cmd --token [redacted: credential]; next"},
	} {
		if got, _, _ := secrets.Text(test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestWhatOnlyLooksLikeAMarkerIsRedacted(t *testing.T) {
	for _, text := range []string{"password=[redacted: hunter2x9]", "password=[cut: hunter2x9 characters]", "password=[redacted: password]hunter2x9"} {
		if out, _, _ := secrets.Text(text); exposes(out, "hunter2x9") != "" {
			t.Errorf("%q is shown as %q", text, out)
		}
	}
}
