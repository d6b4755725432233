package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// systemPrograms work on the machine that the call runs on.
func systemPrograms() map[string]program {
	return map[string]program{
		"systemctl":    systemctl.program(),
		"service":      {explainServiceScript},
		"rc-service":   {explainServiceScript},
		"launchctl":    launchctl.program(),
		"loginctl":     loginctl.program(),
		"journalctl":   {explainJournal},
		"timedatectl":  settings.program(),
		"hostnamectl":  settings.program(),
		"localectl":    settings.program(),
		"resolvectl":   settings.program(),
		"networkctl":   settings.program(),
		"bootctl":      settings.program(),
		"coredumpctl":  settings.program(),
		"machinectl":   settings.program(),
		"snapctl":      settings.program(),
		"update-rc.d":  {explainLater},
		"chkconfig":    {explainLater},
		"crontab":      {explainCrontab},
		"at":           {explainAt},
		"batch":        {explainAt},
		"atq":          {explainAsks},
		"atrm":         {explainSystemChange},
		"shutdown":     {explainStop},
		"reboot":       {explainStop},
		"halt":         {explainStop},
		"poweroff":     {explainStop},
		"init":         {explainStop},
		"telinit":      {explainStop},
		"kexec":        {explainStop},
		"ip":           ipTool.program(),
		"ss":           {explainSockets},
		"netstat":      {explainSockets},
		"ifconfig":     {explainShown},
		"route":        {explainShown},
		"arp":          {explainShown},
		"iwconfig":     {explainShown},
		"nmcli":        nmcli.program(),
		"sysctl":       {explainSysctl},
		"mount":        {explainShown},
		"losetup":      {explainShown},
		"cryptsetup":   volumes.program(),
		"zfs":          volumes.program(),
		"zpool":        volumes.program(),
		"btrfs":        volumes.program(),
		"mdadm":        {explainSystemChange},
		"ufw":          firewall.program(),
		"firewall-cmd": {explainFirewall},
		"iptables":     {explainFirewall},
		"ip6tables":    {explainFirewall},
		"nft":          firewall.program(),
		"pfctl":        {explainSystemChange},
		"tc":           firewall.program(),
		"semanage":     {explainSystemChange},
		"auditctl":     {explainSystemChange},
	}
}

// systemChangePrograms always change the machine, whatever they are given, or probe
// others.
func systemChangePrograms() map[string]program {
	m := map[string]program{
		"csrutil": macSettings.program(), "spctl": macSettings.program(), "defaults": macSettings.program(), "dscl": macSettings.program(),
		"diskutil": macSettings.program(), "tmutil": macSettings.program(), "scutil": macSettings.program(), "networksetup": macSettings.program(),
		"pmset": macSettings.program(), "systemsetup": macSettings.program(), "nvram": macSettings.program(), "hdiutil": macSettings.program(),
		"softwareupdate": macSettings.program(), "profiles": macSettings.program(), "fdesetup": macSettings.program(),
		"osascript": {explainOsascript},
	}
	for name := range strings.FieldsSeq("umount pvcreate vgcreate lvcreate lvextend lvresize vgextend modprobe insmod rmmod depmod useradd adduser usermod passwd chpasswd groupadd addgroup groupmod gpasswd " +
		"visudo vipw vigr chage chsh newusers setcap setfacl setenforce iptables-restore ip6tables-restore ebtables arptables hwclock ntpdate update-grub grub-install grub-mkconfig update-alternatives update-initramfs dracut mkinitcpio efibootmgr ldconfig kmod dpkg-reconfigure locale-gen authselect " +
		"pam-auth-update aa-disable aa-complain aa-enforce apparmor_parser brctl ethtool iw wpa_supplicant wg-quick openvpn dhclient pppd ulogd quotaon quotacheck setquota edquota udevadm") {
		m[name] = program{explainSystemChange}
	}
	for name := range strings.FieldsSeq("userdel deluser groupdel delgroup lvremove vgremove pvremove lvreduce mkfs.zfs zap") {
		m[name] = program{explainSystemLoss}
	}
	for name := range strings.FieldsSeq("nmap masscan zmap rustscan nikto sqlmap hydra medusa john hashcat tcpdump tshark dumpcap wireshark ettercap bettercap responder aircrack-ng gobuster dirb ffuf wfuzz wpscan " +
		"msfconsole msfvenom metasploit crackmapexec netexec enum4linux smbclient smbmap rpcclient evil-winrm impacket-secretsdump mimikatz arpspoof dnsspoof hping3 slowhttptest nuclei amass subfinder kerbrute ncrack patator") {
		m[name] = program{explainProbe}
	}
	return m
}

// explainSystemChange notes that the machine would be changed.
func explainSystemChange(in *invocation) bool {
	in.systemChanged(in.name, in.Span)
	return true
}

func (in *invocation) systemChanged(target string, at shell.Span) {
	in.note(noted{Effect: Effect{Kind: Privilege, Target: target, Certain: in.Certain, Span: in.span(at)}, rule: "system-changed"})
}

func explainSystemLoss(in *invocation) bool {
	in.say("service-destroys", in.span(in.Span), in.name)
	return explainSystemChange(in)
}

func explainProbe(in *invocation) bool {
	in.say("network-probed", in.span(in.Span), in.name)
	return true
}

func explainLater(in *invocation) bool {
	in.note(noted{Effect: Effect{Kind: Configure, Target: in.name, Certain: in.Certain, Span: in.span(in.Span)}, rule: "runs-later"})
	return true
}

func explainStop(in *invocation) bool {
	in.say("system-stopped", in.span(in.Span), in.name)
	return true
}

// explainShown shows settings if it is given nothing but names and options of showing.
func explainShown(in *invocation) bool {
	for i, w := range in.args {
		text, known := w.Value()
		switch {
		case in.name == "mount" && (text == "-a" || text == "--all"):
			return explainSystemChange(in)
		case known && listed("-a -n -v -l -s -e -en -an -ne -na -ee -t --list --show --all --json -j --version --help --numeric --noheadings -O --raw --bytes -h", text):
		case known && i == 0 && len(in.args) == 1 && in.name == "ifconfig" && text[0] != '-':
		case known && in.name == "mount" && i > 0 && isWord(in.args[i-1], "-t") && len(in.args) == 2:
		default:
			return explainSystemChange(in)
		}
	}
	in.say("service-asked", in.span(in.Span), in.name)
	return true
}

// explainServiceScript is "service NAME VERB".
func explainServiceScript(in *invocation) bool {
	if in.hasWord("--status-all") && len(in.args) == 1 || len(in.args) == 2 && isWord(in.args[1], "status") && in.args[0].Known() {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	return explainSystemChange(in)
}

func explainJournal(in *invocation) bool {
	for _, w := range in.args {
		text, _ := w.Value()
		name, _, _ := strings.Cut(text, "=")
		if listed("--rotate --flush --sync --vacuum-size --vacuum-time --vacuum-files --setup-keys --relinquish-var --smart-relinquish-var --update-catalog --cursor-file", name) {
			return explainSystemChange(in)
		}
	}
	in.say("service-asked", in.span(in.Span), in.name)
	return true
}

// explainCrontab shows, replaces or removes a user's jobs.
func explainCrontab(in *invocation) bool {
	o := spec{short: "u:lreis", long: "user= list remove edit help version"}.read(in.args)
	switch {
	case o.has("r", "remove"):
		in.say("service-destroys", in.span(in.Span), "crontab")
		return explainLater(in)
	case o.has("l", "list") && len(o.operands) == 0 && o.understood() && !o.has("e", "edit", "i"):
		in.say("service-asked", in.span(in.Span), "crontab")
		return true
	}
	for _, w := range o.operands {
		in.readsUnlessDash(w)
	}
	return explainLater(in)
}

func explainAt(in *invocation) bool {
	if len(in.args) == 1 && in.hasWord("-l", "-V") {
		in.say("service-asked", in.span(in.Span), in.name)
		return true
	}
	return explainLater(in)
}

func explainSysctl(in *invocation) bool {
	for _, w := range in.args {
		text, known := w.Value()
		if !known || strings.IndexByte(text, '=') >= 0 || len(text) > 1 && text[0] == '-' && !listed("-a -n -N -e -A -X -b -h --all --values --names --ignore --pattern -r", text) {
			return explainSystemChange(in)
		}
	}
	in.say("service-asked", in.span(in.Span), in.name)
	return true
}

// explainFirewall lists rules, or changes them.
func explainFirewall(in *invocation) bool {
	asked := false
	for _, w := range in.args {
		text, known := w.Value()
		switch {
		case !known:
			return explainSystemChange(in)
		case listed("-L --list -S --list-rules -V --version --state --list-all --list-ports --list-services --get-zones --get-active-zones --get-default-zone --list-all-zones --query-port", text):
			asked = true
		case listed("-n -v -x -nv -vn -nvL -vnL -nL --line-numbers --numeric --verbose --exact -t nat filter mangle raw INPUT OUTPUT FORWARD PREROUTING POSTROUTING", text):
			asked = asked || strings.HasSuffix(text, "L") && text[0] == '-'
		default:
			return explainSystemChange(in)
		}
	}
	if !asked {
		return explainSystemChange(in)
	}
	in.say("service-asked", in.span(in.Span), in.name)
	return true
}

// explainOsascript runs a script that steers other programs.
func explainOsascript(in *invocation) bool {
	in.systemChanged("osascript", in.Span)
	return true
}

// explainSockets shows connections; one option ends them.
func explainSockets(in *invocation) bool {
	for _, w := range in.args {
		text, known := w.Value()
		if !known || text == "--kill" || len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.ContainsAny(text, "KD") || text == "--diag" {
			return false
		}
	}
	in.say("service-asked", in.span(in.Span), in.name)
	return true
}
