// Package powershell finds the commands of a PowerShell text, in the terms of package
// shell: aliases are resolved, shortened parameters are written out, encoded commands
// decoded, and the texts of cmd.exe and of nested shells read as well. The first word
// of a command is the canonical name of a cmdlet, the name of a program, a static
// method ("[io.file]::delete", without "system.") or a method (".delete").
//
// It recognises what agents write and parses no more than that; what it cannot split
// is a problem.
package powershell
