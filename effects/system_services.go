package effects

var systemctl = &service{
	kind: Privilege, bare: asks, helps: true,
	spec:  spec{short: "t:p:H:M:n:o:P:s:lqafr", long: "user system type= state= property= host= machine= lines= output= no-pager all full quiet plain no-legend legend= failed recursive now runtime signal= kill-who= job-mode= root= value"},
	quiet: "--now",
	verbs: verbsOf(`
asks: status show list-units list-unit-files list-timers list-sockets list-jobs list-dependencies list-paths list-automounts list-machines is-active is-enabled is-failed is-system-running get-default show-environment cat help whoami
changes: start stop restart reload try-restart reload-or-restart try-reload-or-restart daemon-reload daemon-reexec reset-failed set-property bind mount-image log-level log-target service-log-level service-watchdogs isolate freeze thaw
changes: set-environment unset-environment import-environment switch-root clean
arranges: enable disable reenable mask unmask link edit set-default preset preset-all add-wants add-requires revert
destroys: kill cancel
special: poweroff reboot halt kexec suspend hibernate hybrid-sleep emergency rescue default exit soft-reboot sleep suspend-then-hibernate
`),
	specials: map[string]func(*request) bool{
		"poweroff": stopMachine, "reboot": stopMachine, "halt": stopMachine, "kexec": stopMachine, "suspend": stopMachine, "hibernate": stopMachine, "hybrid-sleep": stopMachine,
		"emergency": stopMachine, "rescue": stopMachine, "default": stopMachine, "exit": stopMachine, "soft-reboot": stopMachine, "sleep": stopMachine, "suspend-then-hibernate": stopMachine,
	},
}

func stopMachine(r *request) bool {
	r.say("system-stopped", r.point(), r.verb)
	return true
}

var launchctl = &service{
	kind: Privilege, bare: asks, verbs: verbsOf(`
asks: list print print-cache print-disabled blame dumpstate examine version managerpid manageruid managername hostinfo resolveport procinfo getenv error
arranges: load unload bootstrap bootout enable disable submit
changes: start stop kickstart kill attach remove setenv unsetenv config limit
special: reboot
`),
	specials: map[string]func(*request) bool{"reboot": stopMachine},
}

var loginctl = &service{
	kind: Privilege, bare: asks, spec: spec{short: "p:al", long: "property= all full no-pager value no-legend"}, verbs: verbsOf(`
asks: list-sessions list-users list-seats session-status user-status seat-status show-session show-user show-seat
changes: activate lock-session unlock-session lock-sessions unlock-sessions attach flush-devices
arranges: enable-linger disable-linger
destroys: terminate-session kill-session terminate-user kill-user terminate-seat
`),
}

// settings are the programs of one family that show settings and set them.
var settings = &service{
	kind: Privilege, bare: asks, spec: spec{short: "p:i:4678MH:", long: "no-pager property= interface= all value json= no-legend"}, verbs: verbsOf(`
asks: status show show-timesync timesync-status list-timezones list-locales list-keymaps query statistics list info dump dns domain hostname icon-name chassis service tcp lldp list-images is-installed monitor
changes: set-time set-timezone set-local-rtc set-ntp set-hostname set-icon-name set-chassis set-deployment set-location set-locale set-keymap set-x11-keymap flush-caches reset-statistics revert up down reload reconfigure install update remove start stop reboot
runs: shell login debug gdb
`),
	refine: func(r *request) act {
		if r.act == asks && listed("dns domain hostname icon-name chassis", r.verb) && hasOperand(r.rest) && r.name != "resolvectl" {
			return changes
		}
		return r.act
	},
}

var ipTool = &service{
	kind: Privilege, bare: asks, run: "-b -batch -batch-force",
	spec: spec{oneDash: true, short: "46sdjprohcanb:nf:l:", long: "br brief c color color= o oneline s stats statistics d details details j json p pretty 4 6 0 f= family= r resolve h human n= netns= a all V Version t timestamp"},
	verbs: verbsOf(`
asks: a addr address l link r route ro n neigh neighbor neighbour ru rule m maddr mr mroute tunnel tun netns tap monitor xfrm vrf
asks a|addr|address|l|link|r|ro|route|n|neigh|neighbor|neighbour|ru|rule|m|maddr|mr|mroute|tunnel|tuntap|netns|vrf|token|netconf|tcp_metrics|mptcp: s sh show list ls lst get help identify pids
changes a|addr|address|l|link|r|ro|route|n|neigh|neighbor|neighbour|ru|rule|m|maddr|mr|tunnel|tuntap|netns|token|mptcp: a add set change chg replace append attach save restore up down
destroys a|addr|address|l|link|r|ro|route|n|neigh|neighbor|neighbour|ru|rule|m|maddr|tunnel|tuntap|netns|token|mptcp: del delete d flush remove
runs netns|vrf: exec
`),
}

var nmcli = &service{
	kind: Privilege, bare: asks, spec: spec{short: "f:m:e:c:t:pagw:", long: "fields= mode= escape= colors= terse pretty ask get-values= wait= overview"}, run: "-s --show-secrets", verbs: verbsOf(`
asks: g general c con connection d dev device n networking r radio
asks g|general: status hostname permissions logging
asks c|con|connection: show
asks d|dev|device: status show wifi lldp
asks r|radio: all wifi wwan
asks n|networking: connectivity
changes c|con|connection: up down add modify edit clone reload load import monitor migrate
changes d|dev|device: connect reapply modify disconnect set
changes n|networking: on off
changes: monitor agent
destroys c|con|connection|d|dev|device: delete
`),
	refine: func(r *request) act {
		if r.act == asks && r.verb != "" && (hasOperand(r.rest) && listedLast("status wifi hostname all", r.verb)) {
			if first, _ := r.rest[0].Value(); first != "list" {
				return changes
			}
		}
		return r.act
	},
}

// listedLast reports whether the last word of a verb is in a list.
func listedLast(list, verb string) bool {
	for i := len(verb) - 1; i >= 0; i-- {
		if verb[i] == ' ' {
			return listed(list, verb[i+1:])
		}
	}
	return listed(list, verb)
}

var firewall = &service{
	kind: Privilege, bare: asks, spec: spec{short: "anjsyc", oneDash: false, long: "force handle numeric json stateless"}, verbs: verbsOf(`
asks: status version help show monitor describe
asks app: list info
asks list: ruleset tables table chains chain sets set rules maps
asks qdisc|class|filter: show ls list
changes: allow deny reject limit route insert prepend enable reload logging default add create import replace
changes app: update default
changes qdisc|class|filter: add change replace link
destroys: delete disable reset flush destroy
destroys qdisc|class|filter: del delete
`),
}

var volumes = &service{
	kind: Privilege, bare: asks, spec: spec{short: "HpvPo:t:"}, verbs: verbsOf(`
asks: list get status iostat history holds userspace groupspace version luksDump luksUUID isLuks benchmark diff events dump
asks subvolume|filesystem|device|quota|qgroup|scrub|balance|property|inspect-internal: list show df usage status stats du get get-default rootid
changes: create set snapshot clone mount unmount share unshare send receive receive promote rename inherit import export online offline attach add replace scrub trim upgrade luksOpen open close luksClose luksAddKey luksChangeKey resize refresh allow unallow hold release bookmark load-key unload-key change-key reguid split initialize
changes subvolume|filesystem|device|quota|qgroup|scrub|balance|property: create snapshot set-default sync resize label defragment defrag add start replace enable disable set cancel pause resume limit assign
destroys: destroy rollback detach remove labelclear clear luksFormat luksErase luksRemoveKey luksKillSlot erase reencrypt
destroys subvolume|filesystem|device|qgroup: delete remove destroy
`),
}

var macSettings = &service{
	kind: Privilege, bare: asks, spec: spec{oneDash: true, long: "currentHost host= g live getall"}, verbs: verbsOf(`
asks: status read read-type domains find list info isbootable listbackups latestbackup destinationinfo machinedirectory compare listlocalsnapshots apfs get export search activity history show imageinfo help plist
asks apfs: list listUsers listSnapshots
asks: listallnetworkservices getinfo getdnsservers getwebproxy listallhardwareports getcomputername
changes: write import rename create append change passwd merge eraseVolume mount unmount unmountDisk mountDisk eject repairVolume verifyVolume partitionDisk enable setdestination startbackup snapshot restore attach detach convert setwebproxy setdnsservers set setdnsservers
destroys: delete delete-all disable eraseDisk eraseVolume reformat secureErase zeroDisk randomDisk deletelocalsnapshots removedestination stopbackup clear
destroys apfs: deleteVolume deleteContainer deleteSnapshot eraseVolume
changes apfs: addVolume createContainer changePassphrase encryptVolume decryptVolume lockVolume unlockVolume resizeContainer
`),
}
