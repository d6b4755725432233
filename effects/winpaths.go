package effects

import "strings"

// windowsPath gives a path of Windows the form of all others: "/c:/users/dev" for
// C:\Users\dev. It says of names that are none of files, or that lead past the rules
// by which names are read, that they are devices: the namespaces of devices and of
// the kernel, reserved names, a drive without a folder behind it, streams of a file,
// other machines, and short names that may stand for anything.
func windowsPath(text string) (name string, device bool) {
	text = strings.ReplaceAll(text, `\`, "/")
	if strings.HasPrefix(text, "//") || strings.HasPrefix(text, "/??/") {
		return "/" + strings.TrimLeft(text, "/"), true
	}
	drive := ""
	switch {
	case len(text) >= 2 && text[1] == ':' && isLetter(text[0]):
		drive, text = "/"+strings.ToLower(text[:1])+":", text[2:]
		if text == "" || text[0] != '/' {
			return drive + "/" + text, true // relative to a folder that nobody names
		}
	case len(text) >= 2 && text[0] == '/' && isLetter(text[1]) && (len(text) == 2 || text[2] == '/'):
		drive, text = "/"+strings.ToLower(text[1:2])+":", text[2:] // as shells on Windows have it
	}
	if isDevice(text) || text == "" {
		return drive + text, false
	}
	return windowsParts(drive, text)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// windowsParts reads the parts of a path as Windows does, which ignores dots and
// blanks at their ends.
func windowsParts(drive, text string) (name string, device bool) {
	parts := strings.Split(text, "/")
	for i, part := range parts {
		if part == "." || part == ".." {
			continue
		}
		parts[i] = longName(strings.TrimRight(part, ". "))
		device = device || part != "" && parts[i] == "" || strings.IndexByte(part, ':') >= 0 || isReserved(part) || isShort(parts[i])
	}
	return drive + strings.Join(parts, "/"), device
}

// longName undoes the short names that Windows gives its own folders.
func longName(part string) string {
	switch strings.ToLower(part) {
	case "progra~1":
		return "Program Files"
	case "progra~2":
		return "Program Files (x86)"
	case "progra~3":
		return "ProgramData"
	default:
		return part
	}
}

// isShort reports whether a name may be a short one of any other: "DOCUME~1".
func isShort(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	i := strings.LastIndexByte(stem, '~')
	return i > 0 && i <= 6 && i+1 < len(stem) && strings.Trim(stem[i+1:], "0123456789") == ""
}

// isReserved reports whether a name is a device's in every folder, whatever its
// ending.
func isReserved(part string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(part), ".")
	stem, _, _ = strings.Cut(stem, ":")
	switch stem = strings.TrimRight(stem, " "); stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return stem != "nul" || len(part) > 3 // plain nul keeps nothing, as /dev/null does
	case "":
		return false
	}
	if n := len(stem) - 1; n == 3 && (stem[:3] == "com" || stem[:3] == "lpt") {
		return stem[n] >= '0' && stem[n] <= '9'
	}
	return strings.HasPrefix(stem, "com\u00b9") || strings.HasPrefix(stem, "com\u00b2") || strings.HasPrefix(stem, "com\u00b3") ||
		strings.HasPrefix(stem, "lpt\u00b9") || strings.HasPrefix(stem, "lpt\u00b2") || strings.HasPrefix(stem, "lpt\u00b3")
}
