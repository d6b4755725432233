package effects

import (
	"strings"

	"github.com/docket-engine/docket/effects/shell"
)

// cmdletPrograms are PowerShell's own commands, by their full names.
func cmdletPrograms() map[string]program {
	all := map[string]program{"pwsh": {explainPowerShell}, "powershell": {explainPowerShell}, "cmd": {explainPowerShell}}
	for names, c := range map[string]cmdlet{
		"Get-ChildItem Get-Item Get-ItemProperty Test-Path Resolve-Path Convert-Path Get-FileHash Get-Acl Set-Location Push-Location": {
			flags: "Name Directory File Hidden ReadOnly System FollowSymlink IsValid", values: "Attributes PathType Algorithm StackName", does: cmdletLooks,
		},
		"Get-Content Import-Csv Import-Clixml": {values: "ReadCount TotalCount Tail Stream Header", does: cmdletShows},
		"Select-String":                        {flags: "SimpleMatch CaseSensitive Quiet List NotMatch AllMatches", values: "Pattern Context", does: cmdletSearches},
		"Set-Content Add-Content Out-File Tee-Object Export-Csv Export-Clixml Set-Item New-Item": {values: "Value Name ItemType Stream Variable", does: cmdletWrites},
		"Clear-Content Clear-Item":            {does: cmdletEmpties},
		"Remove-Item":                         {values: "Stream Credential", does: cmdletRemoves},
		"Copy-Item":                           {values: "Destination FromSession ToSession", does: cmdletCopies},
		"Move-Item Rename-Item":               {values: "Destination NewName", does: cmdletMoves},
		"Expand-Archive Compress-Archive":     {flags: "Update", values: "DestinationPath CompressionLevel", does: cmdletPacks},
		"Invoke-WebRequest Invoke-RestMethod": {flags: "SkipCertificateCheck", values: "Uri Method OutFile TimeoutSec UserAgent MaximumRedirection ContentType", does: cmdletRequests},
		"Stop-Process":                        {values: "Id Name", does: func(c *cmdletCall) bool { c.invocation.does(Process, "", c.Span); return true }},
		"Stop-Service Restart-Service Set-Service Remove-Service Stop-VM Remove-VM":                              {values: "Name StartupType Status DisplayName", does: cmdletSays("system-changed")},
		"New-Service Register-ScheduledTask Set-ScheduledTask Register-ScheduledJob":                             {values: "Name Action Trigger TaskName ScriptBlock", does: cmdletConfigures},
		"Clear-Disk Format-Volume Remove-Partition Initialize-Disk New-Partition Set-Partition Clear-RecycleBin": {flags: "RemoveData Full", values: "Number DriveLetter FileSystem", does: cmdletSays("disk-changed")},
		"Restart-Computer Stop-Computer":                              {does: cmdletSays("system-stopped")},
		"Install-Module Install-Package Install-Script Update-Module": {values: "Name Scope Repository", does: func(c *cmdletCall) bool { c.invocation.does(Install, "", c.Span); return true }},
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = program{c.explain}
		}
	}
	// What these are given has been computed already; they print it, or choose of it.
	quiet := program{func(*invocation) bool { return true }}
	for name := range strings.FieldsSeq(`Write-Output Write-Host Write-Error Write-Warning Write-Verbose Write-Information Write-Debug Format-Table Format-List Format-Wide
		Out-Host Out-Null Out-String ForEach-Object Where-Object Select-Object Sort-Object Group-Object Measure-Object Measure-Command Compare-Object Get-Unique
		ConvertTo-Json ConvertFrom-Json ConvertTo-Csv ConvertFrom-Csv ConvertTo-Html ConvertTo-Xml Join-Path Split-Path Get-Date Get-Random Get-Host Get-Culture Get-Location Pop-Location
		Get-Command Get-Help Get-Member Get-Alias Get-Module Get-Process Get-Service Get-PSDrive Get-Uptime Get-TimeZone Get-ComputerInfo Get-Volume Get-Disk Get-Partition
		Get-ExecutionPolicy Get-Job Wait-Job Wait-Process Start-Sleep New-Guid Set-StrictMode Set-Variable New-Variable Clear-Variable Remove-Variable Clear-Host`) {
		all[name] = quiet
	}
	for name, k := range map[string]Kind{
		"[io.file]::readalltext": Read, "[io.file]::readalllines": Read, "[io.file]::readallbytes": Read, "[io.file]::writealltext": Write, "[io.file]::writealllines": Write,
		"[io.file]::writeallbytes": Write, "[io.file]::appendalltext": Write, "[io.directory]::createdirectory": Create, "[io.file]::delete": Delete, "[io.directory]::delete": Delete,
	} {
		all[name] = program{func(in *invocation) bool { return staticMethod(in, k) }}
	}
	all[".delete"] = program{func(in *invocation) bool {
		in.say("delete-nested", in.span(in.Span), in.name)
		return true
	}}
	return all
}

// staticMethod is one that works on the file that its first argument names. To delete
// so is to hide a deletion.
func staticMethod(in *invocation, k Kind) bool {
	if len(in.args) == 0 {
		return false
	}
	if k == Delete {
		inner := *in.Command
		inner.Nested = true
		in = &invocation{analysis: in.analysis, script: in.script, Command: &inner, name: in.name, args: in.args}
	}
	in.touches(k, in.args[0])
	return true
}

func cmdletSays(rule string) func(*cmdletCall) bool {
	return func(c *cmdletCall) bool {
		c.say(rule, c.span(c.Span), c.name)
		return true
	}
}

func cmdletLooks(c *cmdletCall) bool {
	for _, w := range c.targets() {
		if strings.HasPrefix(asciiFold(w.Prefix()), "env:") {
			c.invocation.does(SecretRead, "", w.Span)
			continue
		}
		c.notes(noted{Effect: Effect{Kind: Read}, names: true}, w)
	}
	return true
}

func cmdletShows(c *cmdletCall) bool {
	for _, w := range c.targets() {
		c.notes(noted{Effect: Effect{Kind: Read}, broad: mayBeSecret(w)}, w)
	}
	return true
}

func cmdletSearches(c *cmdletCall) bool {
	files, pattern := c.targets(), shell.Word{}
	if opt, ok := c.get("Pattern"); ok {
		pattern = opt.value
	} else if len(c.operands) > 0 {
		pattern, files = c.operands[0], files[1:]
	}
	broad := false
	for _, w := range files {
		broad = broad || mayBeSecret(w)
		c.notes(noted{Effect: Effect{Kind: Read}}, w)
	}
	if text, known := pattern.Value(); broad && (!known || showsAll(text) || looksForSecrets(text)) {
		c.say("search-secrets", c.span(pattern.Span), text)
	}
	return true
}

// cmdletWrites is one that writes the first file that it is given.
func cmdletWrites(c *cmdletCall) bool {
	if opt, ok := c.get("ItemType"); ok {
		switch kind, _ := opt.value.Value(); asciiFold(kind) {
		case "file", "directory":
		default:
			return false // a link, or something that is no file
		}
	}
	targets := c.targets()
	if len(targets) == 0 {
		return c.has("Variable")
	}
	target := targets[len(targets)-1] // a parameter's before that of a place
	if !c.has("Path", "LiteralPath", "FilePath") {
		target = targets[0]
	}
	if opt, ok := c.get("Name"); ok {
		text, known := opt.value.Value()
		dir, knownDir := target.Value()
		if !known || !knownDir {
			return false
		}
		target = shell.Word{Parts: []shell.Part{{Text: join(dir, text)}}, Span: opt.value.Span}
	}
	c.touches(Write, target)
	return true
}

func cmdletEmpties(c *cmdletCall) bool {
	for _, w := range c.targets() {
		c.touches(Write, w)
		c.emptied(w)
	}
	return true
}

func cmdletRemoves(c *cmdletCall) bool {
	targets := c.targets()
	switch {
	case len(targets) == 0:
		c.say("delete-piped", c.span(c.Span), c.name)
	case len(targets) > 1:
		c.say("delete-many", c.span(c.Span), c.name)
	}
	if c.has("Filter", "Include", "Exclude") {
		c.say("delete-pattern", c.span(c.Span), c.name)
	}
	for _, w := range targets {
		c.touchesAll(Delete, w, c.has("Recurse"))
	}
	return true
}

// endpoints are what a cmdlet takes something from, and where it puts it.
func (c *cmdletCall) endpoints(name string) (from []shell.Word, to shell.Word, ok bool) {
	from = c.targets()
	if opt, given := c.get(name); given {
		return from, opt.value, len(from) > 0
	}
	if n := len(c.operands); n > 0 && len(from) > 1 {
		to = c.operands[n-1]
		from = append(from[:n-1:n-1], from[n:]...)
		return from, to, true
	}
	return nil, to, false
}

func cmdletCopies(c *cmdletCall) bool {
	from, to, ok := c.endpoints("Destination")
	if !ok || c.has("FromSession", "ToSession") {
		return false
	}
	for _, w := range from {
		c.notes(noted{Effect: Effect{Kind: Read}, broad: mayBeSecret(w)}, w)
	}
	c.into(to, from, noted{Effect: Effect{Kind: Write}})
	return true
}

func cmdletMoves(c *cmdletCall) bool {
	name := "Destination"
	if c.name == "Rename-Item" {
		name = "NewName"
	}
	from, to, ok := c.endpoints(name)
	if !ok {
		return false
	}
	for _, w := range from {
		c.notes(noted{Effect: Effect{Kind: Delete}, moved: true}, w)
	}
	c.into(to, from, noted{Effect: Effect{Kind: Write}})
	return true
}

func cmdletPacks(c *cmdletCall) bool {
	from, to, ok := c.endpoints("DestinationPath")
	if !ok {
		return false
	}
	for _, w := range from {
		c.notes(noted{Effect: Effect{Kind: Read}, broad: mayBeSecret(w)}, w)
	}
	if c.name == "Expand-Archive" && c.has("Force") {
		c.say("unpacked-over", c.span(c.Span), c.name)
	}
	c.touches(Write, to)
	return true
}

// cmdletConfigures is one that has something run later.
func cmdletConfigures(c *cmdletCall) bool {
	c.say("runs-later", c.span(c.Span), c.name)
	return true
}

// cmdletRequests asks another machine for something, and may send it something.
func cmdletRequests(c *cmdletCall) bool {
	address := shell.Word{}
	if opt, ok := c.get("Uri"); ok {
		address = opt.value
	} else if len(c.operands) > 0 {
		address = c.operands[0]
	}
	text, known := address.Value()
	if !known {
		c.say("request-computed", c.span(address.Span), wordText(address))
		return true
	}
	if opt, ok := c.get("Method"); ok {
		if method, _ := opt.value.Value(); !strings.EqualFold(method, "GET") && !strings.EqualFold(method, "HEAD") {
			c.invocation.does(Send, text, address.Span)
		}
	}
	if opt, ok := c.get("OutFile"); ok {
		c.touches(Write, opt.value)
	}
	c.fetches(text, address.Span)
	return true
}
