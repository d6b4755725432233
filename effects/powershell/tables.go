package powershell

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func keyed(words string) map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(words) {
		m[strings.ToLower(w)] = w
	}
	return m
}

// paired reads "alias=Cmdlet" words.
func paired(words string) map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(words) {
		name, to, _ := strings.Cut(w, "=")
		m[name] = to
	}
	return m
}

var keywords = keyed(`if elseif else while for foreach do until switch function filter param try catch finally return
	throw exit break continue begin process end trap class enum using configuration workflow data`)

// aliases are those that every PowerShell begins with, on Windows at least.
var aliases = paired(`rm=Remove-Item del=Remove-Item erase=Remove-Item rd=Remove-Item ri=Remove-Item rmdir=Remove-Item
	rp=Remove-ItemProperty clc=Clear-Content cli=Clear-Item clp=Clear-ItemProperty clv=Clear-Variable rv=Remove-Variable
	ls=Get-ChildItem dir=Get-ChildItem gci=Get-ChildItem cat=Get-Content type=Get-Content gc=Get-Content
	cp=Copy-Item copy=Copy-Item cpi=Copy-Item mv=Move-Item move=Move-Item mi=Move-Item ren=Rename-Item rni=Rename-Item
	ni=New-Item md=New-Item mkdir=New-Item sc=Set-Content ac=Add-Content si=Set-Item sp=Set-ItemProperty gi=Get-Item
	gp=Get-ItemProperty ii=Invoke-Item echo=Write-Output write=Write-Output cd=Set-Location chdir=Set-Location
	sl=Set-Location pushd=Push-Location popd=Pop-Location pwd=Get-Location gl=Get-Location
	iex=Invoke-Expression iwr=Invoke-WebRequest curl=Invoke-WebRequest wget=Invoke-WebRequest irm=Invoke-RestMethod
	icm=Invoke-Command saps=Start-Process start=Start-Process spps=Stop-Process kill=Stop-Process gps=Get-Process
	ps=Get-Process sasv=Start-Service spsv=Stop-Service gsv=Get-Service sajb=Start-Job rjb=Remove-Job gjb=Get-Job
	foreach=ForEach-Object %=ForEach-Object where=Where-Object ?=Where-Object select=Select-Object sort=Sort-Object
	group=Group-Object measure=Measure-Object ft=Format-Table fl=Format-List fw=Format-Wide tee=Tee-Object oh=Out-Host
	sls=Select-String gm=Get-Member gcm=Get-Command gv=Get-Variable sv=Set-Variable set=Set-Variable nv=New-Variable
	sal=Set-Alias nal=New-Alias gal=Get-Alias ipmo=Import-Module gmo=Get-Module ipcsv=Import-Csv epcsv=Export-Csv
	compare=Compare-Object diff=Compare-Object cls=Clear-Host clear=Clear-Host sleep=Start-Sleep man=help h=Get-History
	history=Get-History ihy=Invoke-History r=Invoke-History rnp=Rename-ItemProperty cvpa=Convert-Path rvpa=Resolve-Path
	gwmi=Get-WmiObject iwmi=Invoke-WmiMethod rwmi=Remove-WmiObject icim=Invoke-CimMethod gcim=Get-CimInstance
	nsn=New-PSSession etsn=Enter-PSSession rsn=Remove-PSSession mount=New-PSDrive ndr=New-PSDrive rdr=Remove-PSDrive
	gdr=Get-PSDrive lp=Out-Printer gu=Get-Unique gcb=Get-Clipboard scb=Set-Clipboard gin=Get-ComputerInfo`)

// cmdlets are those that are known by their full name, as it is written.
var cmdlets = keyed(`Remove-Item Remove-ItemProperty Clear-Content Clear-Item Clear-ItemProperty Clear-Variable Remove-Variable
	Get-ChildItem Get-Content Copy-Item Move-Item Rename-Item New-Item Set-Content Add-Content Set-Item Set-ItemProperty
	Get-Item Get-ItemProperty Get-ItemPropertyValue Invoke-Item Write-Output Write-Host Write-Error Write-Warning
	Write-Verbose Write-Information Write-Debug Set-Location Push-Location Pop-Location Get-Location Invoke-Expression
	Invoke-WebRequest Invoke-RestMethod Invoke-Command Start-Process Stop-Process Get-Process Start-Service Stop-Service
	Restart-Service Set-Service New-Service Remove-Service Get-Service Start-Job Start-ThreadJob Remove-Job Get-Job Receive-Job
	ForEach-Object Where-Object Select-Object Sort-Object Group-Object Measure-Object Measure-Command Format-Table
	Format-List Format-Wide Tee-Object Out-File Out-Host Out-Null Out-String Select-String Get-Member Get-Command Get-Variable
	Set-Variable New-Variable Set-Alias New-Alias Get-Alias Import-Module Get-Module Import-Csv Export-Csv ConvertTo-Json
	ConvertFrom-Json ConvertTo-Csv ConvertFrom-Csv ConvertTo-Html ConvertTo-Xml Export-Clixml Import-Clixml Compare-Object
	Clear-Host Start-Sleep Get-Help Get-History Invoke-History Clear-History Resolve-Path Convert-Path Test-Path Join-Path
	Split-Path Get-Date Get-Random Get-Unique Get-Host Get-Culture Get-PSDrive New-PSDrive Remove-PSDrive Get-FileHash
	Get-Acl Set-Acl Get-ExecutionPolicy Set-ExecutionPolicy Set-MpPreference Add-MpPreference Clear-Disk Format-Volume
	Remove-Partition Initialize-Disk New-Partition Set-Partition Get-Volume Get-Disk Get-Partition Restart-Computer
	Stop-Computer Rename-Computer Clear-RecycleBin Clear-EventLog Remove-EventLog Get-EventLog Get-WinEvent
	New-LocalUser Set-LocalUser Remove-LocalUser Add-LocalGroupMember Remove-LocalGroupMember Disable-LocalUser
	Register-ScheduledTask Unregister-ScheduledTask Set-ScheduledTask New-ScheduledTaskAction Register-ScheduledJob
	New-NetFirewallRule Set-NetFirewallProfile Remove-NetFirewallRule Disable-NetFirewallRule Test-NetConnection
	Test-Connection Resolve-DnsName Send-MailMessage New-Object Add-Type New-Module Get-WmiObject Invoke-WmiMethod
	Remove-WmiObject Get-CimInstance Invoke-CimMethod Remove-CimInstance New-PSSession Enter-PSSession Exit-PSSession
	Remove-PSSession Enable-PSRemoting Start-BitsTransfer Expand-Archive Compress-Archive Install-Module
	Install-Package Install-Script Uninstall-Module Update-Module Find-Module Save-Module Install-WindowsFeature Unblock-File
	ConvertTo-SecureString ConvertFrom-SecureString Get-Credential Get-Clipboard Set-Clipboard Start-Transcript
	Stop-Transcript Wait-Process Wait-Job Get-ComputerInfo Get-Uptime New-TemporaryFile New-Guid Read-Host Set-StrictMode
	New-ItemProperty Rename-ItemProperty Copy-ItemProperty Move-ItemProperty Vssadmin Disable-ComputerRestore
	Checkpoint-Computer Remove-VM Stop-VM Mount-DiskImage Get-AuthenticodeSignature Set-AuthenticodeSignature Get-TimeZone
	Enable-WindowsOptionalFeature Disable-WindowsOptionalFeature Remove-AppxPackage Get-AppxPackage Get-Alias Out-Printer`)

// parameters are those of the cmdlets whose calls are looked at closely.
var parameters = map[string]string{
	"Remove-Item":         "Path LiteralPath Filter Include Exclude Recurse Force Credential Stream",
	"Get-ChildItem":       "Path LiteralPath Filter Include Exclude Recurse Depth Force Name Attributes Directory File Hidden ReadOnly System FollowSymlink",
	"Get-Content":         "Path LiteralPath ReadCount TotalCount Tail Filter Include Exclude Force Credential Delimiter Wait Raw Encoding AsByteStream Stream",
	"Set-Content":         "Path LiteralPath Value PassThru Filter Include Exclude Force Credential NoNewline Encoding AsByteStream Stream",
	"Add-Content":         "Path LiteralPath Value PassThru Filter Include Exclude Force Credential NoNewline Encoding AsByteStream Stream",
	"Clear-Content":       "Path LiteralPath Filter Include Exclude Force Credential Stream",
	"Out-File":            "FilePath LiteralPath Encoding Append Force NoClobber Width NoNewline InputObject",
	"Tee-Object":          "FilePath LiteralPath Append InputObject Variable Encoding",
	"Copy-Item":           "Path LiteralPath Destination Container Force Filter Include Exclude Recurse PassThru Credential FromSession ToSession",
	"Move-Item":           "Path LiteralPath Destination Force Filter Include Exclude PassThru Credential",
	"Rename-Item":         "Path LiteralPath NewName Force PassThru Credential",
	"New-Item":            "Path Name ItemType Value Force Credential",
	"Set-Item":            "Path LiteralPath Value Force PassThru Filter Include Exclude Credential",
	"Set-ItemProperty":    "Path LiteralPath Name Value Force PassThru Filter Include Exclude Credential InputObject Type",
	"New-ItemProperty":    "Path LiteralPath Name Value Force PropertyType Filter Include Exclude Credential",
	"Remove-ItemProperty": "Path LiteralPath Name Force Filter Include Exclude Credential",
	"Set-Location":        "Path LiteralPath PassThru StackName",
	"Invoke-WebRequest":   "Uri Method Body Headers OutFile InFile UseBasicParsing Credential ContentType TimeoutSec UserAgent WebSession SessionVariable Proxy MaximumRedirection PassThru SkipCertificateCheck Form Authentication Token CustomMethod UseDefaultCredentials",
	"Invoke-RestMethod":   "Uri Method Body Headers OutFile InFile UseBasicParsing Credential ContentType TimeoutSec UserAgent WebSession SessionVariable Proxy MaximumRedirection PassThru SkipCertificateCheck Form Authentication Token CustomMethod UseDefaultCredentials FollowRelLink",
	"Invoke-Expression":   "Command",
	"Invoke-Command":      "ScriptBlock ComputerName FilePath ArgumentList Session Credential AsJob HostName UserName InputObject ThrottleLimit",
	"Start-Job":           "ScriptBlock FilePath ArgumentList Name InitializationScript LiteralPath Credential",
	"Start-Process":       "FilePath ArgumentList Verb Wait NoNewWindow PassThru WorkingDirectory WindowStyle Credential RedirectStandardOutput RedirectStandardError RedirectStandardInput LoadUserProfile UseNewEnvironment",
	"Stop-Process":        "Id Name InputObject Force PassThru",
	"Stop-Service":        "Name DisplayName InputObject Force NoWait PassThru Include Exclude",
	"Set-Service":         "Name StartupType Status DisplayName Description InputObject",
	"Set-ExecutionPolicy": "ExecutionPolicy Scope Force",
	"Set-Alias":           "Name Value Description Option PassThru Scope Force",
	"New-Alias":           "Name Value Description Option PassThru Scope Force",
	"Export-Csv":          "Path LiteralPath InputObject Force NoClobber Encoding Append Delimiter NoTypeInformation UseCulture",
	"Expand-Archive":      "Path LiteralPath DestinationPath Force PassThru",
	"Compress-Archive":    "Path LiteralPath DestinationPath CompressionLevel Update Force PassThru",
	"ForEach-Object":      "Process Begin End MemberName ArgumentList Parallel InputObject ThrottleLimit",
	"Start-BitsTransfer":  "Source Destination TransferType Asynchronous Credential DisplayName Priority",
	"Format-Volume":       "DriveLetter FileSystem NewFileSystemLabel Full Force Path Partition",
	"Clear-Disk":          "Number RemoveData RemoveOEM FriendlyName PassThru",
}

const commonParameters = "ErrorAction WarningAction Verbose Debug WhatIf Confirm ErrorVariable OutVariable OutBuffer PipelineVariable InformationAction"

var parameterAliases = map[string]string{
	"ea": "ErrorAction", "wa": "WarningAction", "vb": "Verbose", "db": "Debug", "wi": "WhatIf", "cf": "Confirm", "ev": "ErrorVariable",
	"ov": "OutVariable", "pspath": "LiteralPath", "lp": "LiteralPath", "args": "ArgumentList", "cn": "ComputerName", "type": "ItemType",
}

// globbing are cmdlets that expand patterns in their paths themselves.
var globbing = set(`Remove-Item Get-ChildItem Get-Content Set-Content Add-Content Clear-Content Copy-Item Move-Item
	Set-ItemProperty Remove-ItemProperty`)

// harmlessMethods only compute.
var harmlessMethods = set(`tostring trim trimstart trimend split replace substring toupper tolower startswith endswith
	contains indexof lastindexof padleft padright insert length count add addrange gettype equals compareto tochararray
	getenumerator containskey containsvalue keys values foreach where tolongdatestring toshortdatestring adddays addhours
	addminutes toarray sort reverse join format getbytes gethashcode normalize toint32 todouble matches match isnullorempty
	getstring addmonths addyears touniversaltime tolocaltime clear`)

// harmlessTypes have only methods that compute.
var harmlessTypes = set(`[math] [string] [int] [int32] [int64] [long] [double] [decimal] [bool] [char] [byte] [datetime]
	[timespan] [guid] [version] [convert] [bitconverter] [regex] [text.encoding] [array] [io.path] [uri] [text.regularexpressions.regex]
	[linq.enumerable] [text.encoding]::utf8 [datetimeoffset] [stringcomparer] [web.httputility] [security.cryptography.sha256] [console]`)
