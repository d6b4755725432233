package shell

import "strings"

// containerOptions are those of exec and run that take a value in the next word.
const (
	dockerExec = "detach-keys= env= env-file= user= workdir= interactive tty detach privileged index= no-TTY"
	dockerRun  = "add-host= annotation= attach= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= cpu-period= cpu-quota= cpu-shares= cpus= cpuset-cpus= cpuset-mems= " +
		"detach detach-keys= device= disable-content-trust dns= dns-option= dns-search= domainname= entrypoint= env= env-file= expose= gpus= group-add= health-cmd= health-interval= health-retries= " +
		"health-timeout= help hostname= init interactive ip= ip6= ipc= isolation= kernel-memory= label= label-file= link= log-driver= log-opt= mac-address= memory= memory-reservation= memory-swap= " +
		"memory-swappiness= mount= name= network= net= network-alias= no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged publish= publish-all pull= quiet read-only " +
		"restart= rm runtime= security-opt= shm-size= sig-proxy=? stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= tty ulimit= user= userns= uts= volume= volume-driver= volumes-from= workdir= " +
		"no-deps service-ports use-aliases build remove-orphans"
	dockerGlobal  = "config= context= debug host= log-level= tls tlscacert= tlscert= tlskey= tlsverify file= project-name= project-directory= profile= env-file= ansi= progress= compatibility parallel= url= connection= remote namespace= address="
	kubectlGlobal = "as= as-group= as-uid= cache-dir= certificate-authority= client-certificate= client-key= cluster= context= disable-compression insecure-skip-tls-verify kubeconfig= match-server-version namespace= " +
		"password= profile= profile-output= request-timeout= server= tls-server-name= token= user= username= v= vmodule= warnings-as-errors"
)

// unwrapContainer looks for a command that runs in a container. Everything else that
// the program does is its own, so that it stays listed.
func unwrapContainer(u *unwrapped, args []Word) wrapperKind {
	u.keeps = true
	o := wrap{flags: "Dc:H:l:vf:p:n:a:", long: dockerGlobal}.read(args)
	if o.strange {
		return notWrapper // its own options are the recogniser's to say
	}
	name, rest := subcommand(o.operands)
	if name == "compose" || name == "container" {
		o = wrap{flags: "f:p:", long: dockerGlobal}.read(rest)
		name, rest = subcommand(o.operands)
	}
	switch name {
	case "exec":
		return u.inside(wrap{flags: "de:itu:Tw:", long: dockerExec}, rest)
	case "run":
		return u.inside(wrap{flags: "a:c:de:h:il:m:p:Pqtu:v:w:T", long: dockerRun}, rest)
	default:
		return notWrapper
	}
}

// inside takes the container and the command behind it.
func (u *unwrapped) inside(w wrap, args []Word) wrapperKind {
	o := w.read(args)
	switch {
	case o.strange:
		return strangeWrapper
	case len(o.operands) < 2:
		return notWrapper
	}
	host, ok := o.operands[0].Value()
	if u.remote = host; !ok || host == "" {
		u.remote = "?"
	}
	u.args = o.operands[1:]
	return isWrapper
}

// unwrapKubectl looks for the command behind "exec POD -- COMMAND".
func unwrapKubectl(u *unwrapped, args []Word) wrapperKind {
	u.keeps = true
	o := wrap{flags: "n:s:v:", long: kubectlGlobal}.read(args)
	if o.strange {
		return notWrapper
	}
	name, rest := subcommand(o.operands)
	if name != "exec" && name != "run" && name != "debug" && name != "rsh" {
		return notWrapper
	}
	for i, w := range rest {
		if isText(w, "--") && i+1 < len(rest) {
			u.args, u.remote = rest[i+1:], "?"
			if host, ok := rest[0].Value(); ok && !strings.HasPrefix(host, "-") {
				u.remote = host
			}
			return isWrapper
		}
	}
	if name == "rsh" || name == "exec" && len(rest) > 1 {
		return strangeWrapper // the old form, without --
	}
	return notWrapper
}
