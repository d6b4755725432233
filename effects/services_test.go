package effects_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/effects"
)

// analyzed is the answer about a shell command.
func analyzed(t *testing.T, command string) effects.Answer {
	t.Helper()
	text, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	return effects.Analyze(effects.Call{Tool: "shell", Arguments: jsontext.Value(text)}, facts())
}

// wantDecisions holds lines of commands to a decision.
func wantDecisions(t *testing.T, want effects.Decision, lines string) {
	t.Helper()
	for command := range strings.Lines(lines) {
		if command = strings.TrimSpace(command); command == "" {
			continue
		}
		if a := analyzed(t, command); a.Decision != want {
			t.Errorf("%s: got %s, want %s; %v", command, a.Decision, want, a.Findings)
		}
	}
}

// asking are commands that only ask, check or rehearse.
const asking = `
		docker ps -a
		docker --context staging container ls
		docker logs -f --tail 100 web
		docker build -t shop:dev .
		docker image inspect shop:dev
		docker compose -f compose.yaml ps
		docker-compose logs web
		docker volume ls
		docker buildx ls
		podman images
		kubectl get pods -n shop -o wide
		kubectl -n shop get deploy,svc
		kubectl --context=staging describe pod web-1
		kubectl logs -l app=web --since=1h
		kubectl apply -f deploy.yaml --dry-run=client
		kubectl rollout status deploy/web
		kubectl config current-context
		kubectl get secrets
		kubectl delete --help
		helm list -A
		helm template ./chart --set image.tag=1
		helm upgrade web ./chart --dry-run
		helm get values web
		terraform fmt -recursive
		terraform plan -out=plan.tfplan
		terraform -chdir=infra validate
		terraform state list
		tofu show
		pulumi preview
		cdk diff
		ansible-playbook site.yml --syntax-check
		packer validate image.pkr.hcl
		aws ec2 describe-instances --region eu-west-1
		aws --profile dev s3 ls s3://shop-assets
		aws sts get-caller-identity
		aws s3 sync dist s3://shop-assets --dryrun
		aws logs filter-log-events --log-group-name shop
		aws ec2 help
		gcloud compute instances list --format=json
		gcloud config list
		gcloud projects describe shop
		gsutil ls gs://shop-assets
		az vm list -o table
		az group show --name shop
		doctl compute droplet list
		hcloud server list
		flyctl status -a shop
		heroku logs --tail -a shop
		heroku pg:info
		vault status
		op vault list
		restic snapshots
		borg list backup.borg
		rclone lsd remote:
		rclone copy src remote:shop --dry-run
		velero backup get
		nats stream ls
		rabbitmqctl list_queues
		kafka-topics.sh --bootstrap-server localhost:9092 --list
		circleci config validate
		stripe customers list
		systemctl status nginx
		systemctl --user list-units
		journalctl -u nginx -n 50 --no-pager
		crontab -l
		ip addr
		ip -4 addr show eth0
		sysctl -a
		iptables -L -n
	`

func TestAskingAServiceIsAllowed(t *testing.T) { wantDecisions(t, effects.Allow, asking) }

// changing are commands that change something, or cannot be told from such.
const changing = `
		docker rm -f web
		docker --context prod container rm web
		docker system prune -af
		docker volume rm data
		docker run --rm alpine true
		docker push registry.example.com/shop
		docker build --push -t registry.example.com/shop .
		docker compose down -v
		docker compose up -d
		docker run --privileged alpine true
		docker login registry.example.com
		podman machine rm
		kubectl delete namespace shop
		kubectl -n get delete pod web
		kubectl --context get delete pod web
		kubectl apply -f deploy.yaml
		kubectl apply -f deploy.yaml --dry-run=none
		kubectl delete pod web --dry-run=client --dry-run=none
		kubectl delete pod web -l --dry-run=client
		kubectl delete pod web -- --dry-run=client
		kubectl delete pod web --dry-run=$MODE
		kubectl delete pod web --dry-run=client $MORE
		kubectl get secret db -o yaml
		kubectl get secret/db -ojsonpath={.data.password}
		kubectl config view --raw
		kubectl drain node-1
		kubectl frobnicate pods
		kubectl exec web ls --dry-run
		supervisorctl stop all --help
		sequelize db:drop --dry-run
		s5cmd cp -n notes.txt s3://shop/
		systemctl stop nginx --dry-run
		alembic downgrade base
		kubectl $VERB pods
		kubectl get --kustomize-plugins x
		helm uninstall web
		helm plugin install https://example.com/plugin
		helm template ./chart --post-renderer ./run.sh
		terraform apply -auto-approve
		terraform destroy
		terraform state rm module.db
		terraform workspace delete prod
		terraform force-unlock 1
		pulumi destroy --yes
		cdk deploy
		ansible all -m ping
		ansible-playbook site.yml --check
		aws ec2 terminate-instances --instance-ids i-1
		aws s3 rm s3://shop-assets --recursive
		aws s3 rb s3://shop-assets --force
		aws s3 sync dist s3://shop-assets --delete
		aws s3 presign s3://shop-assets/a
		aws secretsmanager get-secret-value --secret-id db
		aws ssm get-parameter --name db --with-decryption
		aws lambda invoke --function-name web out.json
		aws --profile list ec2 delete-vpc --vpc-id vpc-1
		aws $SERVICE describe-instances
		gcloud compute instances delete web-1 --quiet
		gcloud --project list compute instances delete web-1
		gcloud secrets versions access latest --secret=db
		gcloud auth print-access-token
		gsutil -m rm -r gs://shop-assets
		az group delete --name shop --yes
		az keyvault secret show --vault-name shop --name db
		az account get-access-token
		doctl compute droplet delete 12
		doctl delete list
		linode-cli linodes delete 12
		flyctl apps destroy shop
		heroku apps:destroy -a shop
		heroku pg:reset DATABASE_URL
		heroku config -a shop
		vercel remove shop
		wrangler kv:namespace delete --binding shop
		firebase firestore:delete --all-collections
		supabase db reset
		vault kv get secret/shop
		vault kv delete secret/shop
		vault secrets disable shop
		op item get db
		op item delete db
		doppler secrets delete DB
		pass show db
		sops -d secrets.yaml
		gpg --export-secret-keys
		restic forget --keep-last 1 --prune
		borg delete backup.borg::one
		rclone sync dist remote:shop
		rclone purge remote:shop
		velero backup delete daily
		nats stream purge ORDERS
		rabbitmqctl delete_vhost shop
		kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic orders
		circleci context delete org/shop prod
		stripe customers delete cus_1
		systemctl restart nginx
		systemctl --user enable --now shop
		crontab jobs.txt
		crontab -r
		echo '* * * * * true' | crontab -
		ip link set eth0 down
		ip route flush table main
		iptables -F
		useradd eve
		umount /mnt/data
		sysctl -w vm.swappiness=1
		nmap -sV 10.0.0.0/24
		tcpdump -i eth0
	`

func TestChangingAServiceNeedsReview(t *testing.T) { wantDecisions(t, effects.Review, changing) }

func TestWhatEndsOrOpensTheMachineIsDenied(t *testing.T) {
	wantDecisions(t, effects.Deny, `
		docker run -v /:/host alpine chroot /host sh
		docker run -v /etc:/etc alpine true
		docker run --mount type=bind,source=/,target=/host alpine true
		docker run -v/:/host alpine true
		podman run --volume=/home/dev/.ssh:/keys alpine true
		docker compose run -v /:/host web sh
		shutdown -h now
		reboot
		systemctl poweroff
	`)
}
