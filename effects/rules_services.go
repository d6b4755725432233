package effects

// serviceRules speak about containers, clusters, clouds, vaults and the system.
func serviceRules() []Rule {
	return append(verbRules(), append(containerRules(), systemRules()...)...)
}

func verbRules() []Rule {
	return []Rule{
		{
			ID: "service-asked", Sentence: "A service is only asked for what it has.", Decision: Allow,
			Hit: sh("kubectl get pods -n shop"), Miss: sh("kubectl delete pod web-1 -n shop"),
		},
		{
			ID: "service-prepared", Sentence: "A tool checks, formats or builds from files of the project, and deploys nothing.", Decision: Allow,
			Hit: sh("terraform validate"), Miss: sh("terraform apply"),
		},
		{
			ID: "service-changed", Sentence: "A service would be changed.", Decision: Review,
			Hit: sh("cloudflared tunnel create shop"), Miss: sh("cloudflared tunnel list"),
		},
		{
			ID: "service-destroys", Sentence: "What a service has would be lost.", Decision: Review,
			Hit: sh("gcloud compute instances delete web-1"), Miss: sh("gcloud compute instances list"),
		},
		{
			ID: "service-restores", Sentence: "A backup is written over what is there.", Decision: Review,
			Hit: sh("restic restore latest --target restored"), Miss: sh("restic snapshots"),
		},
		{
			ID: "service-account", Sentence: "Somebody is signed in or out, or keys and accounts are changed.", Decision: Review,
			Hit: sh("docker login registry.example.com"), Miss: sh("docker search redis"),
		},
	}
}

func containerRules() []Rule {
	return []Rule{
		{
			ID: "container-privileged", Sentence: "A container gets rights, devices or sockets with which it can reach this machine.", Decision: Review,
			Hit: sh("docker run --privileged alpine true"), Miss: sh("docker run alpine true"),
		},
		{
			ID: "container-escapes", Sentence: "A container gets the system's folders, a home folder or keys of this machine.", Decision: Deny, Guard: true,
			Hit: sh("docker run -v /:/host alpine true"), Miss: sh("docker run -v ./data:/data alpine true"),
		},
		{
			ID: "container-computed", Sentence: "Which container is started, and with what, is computed.", Decision: Review,
			Hit: sh("docker run $X"), Miss: sh("docker run alpine"),
		},
	}
}

func systemRules() []Rule {
	return []Rule{
		{
			ID: "system-changed", Sentence: "Services, disks, accounts, network or settings of the operating system would be changed.", Decision: Review,
			Hit: sh("systemctl stop nginx"), Miss: sh("systemctl status nginx"),
		},
		{
			ID: "system-stopped", Sentence: "The machine is not stopped or restarted.", Decision: Deny, Guard: true,
			Hit: sh("shutdown -h now"), Miss: sh("uptime"),
		},
		{
			ID: "network-probed", Sentence: "Other machines are searched for weaknesses, or traffic is listened to.", Decision: Review,
			Hit: sh("nmap -sV 10.0.0.0/24"), Miss: sh("ping -c 1 example.com"),
		},
	}
}
