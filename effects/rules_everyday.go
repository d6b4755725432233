package effects

// everydayRules speak about everyday programs.
func everydayRules() []Rule {
	return append(showRules(), alterRules()...)
}

func showRules() []Rule {
	return []Rule{
		{
			ID: "runs-hidden", Sentence: "The program is told to run a command of which nothing is known.", Decision: Review,
			Hit: sh("sort --compress-program=./x notes.txt"), Miss: sh("sort --unique notes.txt"),
		},
		{
			ID: "read-everything", Sentence: "The contents of files are shown that nobody has named, and that may hold secrets.", Decision: Review,
			Hit: sh("cat *"), Miss: sh("cat *.go"),
		},
		{
			ID: "search-secrets", Sentence: "A search goes through all files for secrets, or for whatever there is.", Decision: Review,
			Hit: sh("grep -rn password ."), Miss: sh("grep -rn retries ."),
		},
	}
}

func alterRules() []Rule {
	return []Rule{
		{
			ID: "link-leads-out", Sentence: "A link is made that leads out of the project: what goes through it later does not show that.", Decision: Review,
			Hit: sh("ln -s /usr/local tools"), Miss: sh("ln -s src/tools tools"),
		},
		{
			ID: "write-pattern", Sentence: "Files are written that a pattern stands for, and among them may be some that execute later.", Decision: Review,
			Hit: sh("sed -i s/a/b/ *"), Miss: sh("sed -i s/a/b/ *.go"),
		},
		{
			ID: "file-emptied", Sentence: "A file is emptied that this session has not made.", Decision: Review,
			Hit: sh("truncate -s 0 notes.txt"), Miss: sh("truncate -s 0 made.txt"),
		},
		{
			ID: "patch-unread", Sentence: "Which files a patch changes is not known.", Decision: Review,
			Hit: sh("patch -p1 -i fix.patch"), Miss: sh("patch --dry-run -p1 -i fix.patch"),
		},
		{
			ID: "unpacked-over", Sentence: "An archive is unpacked over the project's own files.", Decision: Review,
			Hit: sh("tar -xzf archive.tgz"), Miss: sh("tar -xzf archive.tgz -C vendor"),
		},
		{
			ID: "pattern-option", Sentence: "A pattern may stand for a file that is named like an option which runs something.", Decision: Review,
			Hit: sh("tar -czf archive.tgz *"), Miss: sh("tar -czf archive.tgz ./*"),
		},
		{
			ID: "mode-opened", Sentence: "Rights are given to everybody, or taken from a file's owner, or a program gets the rights of somebody else.", Decision: Review,
			Hit: sh("chmod 777 notes.txt"), Miss: sh("chmod 755 notes.txt"),
		},
		{
			ID: "owner-changed", Sentence: "Files get another owner.", Decision: Review,
			Hit: sh("chown dev notes.txt"), Miss: sh("chmod u+x notes.txt"),
		},
		{
			ID: "moved", Sentence: "Something is moved inside of the project.", Decision: Allow,
			Hit: sh("mv old.txt new.txt"), Miss: sh("cp old.txt new.txt"),
		},
		{
			ID: "moved-away", Sentence: "Something is moved out of the project, or from outside of it.", Decision: Review,
			Hit: sh("mv notes.txt .."), Miss: sh("mv notes.txt docs"),
		},
		{
			ID: "delete-empty", Sentence: "A folder is deleted if nothing is in it.", Decision: Allow,
			Hit: sh("rmdir build"), Miss: sh("rm -r build"),
		},
		{
			ID: "process-flood", Sentence: "A function that starts itself twice fills the machine with processes.", Decision: Deny, Guard: true,
			Hit: sh(":(){ :|:& };:"), Miss: sh("f(){ ls; }; f"),
		},
		{
			ID: "disk-changed", Sentence: "Disks are not formatted, partitioned or wiped.", Decision: Deny, Guard: true,
			Hit: sh("mkfs.ext4 /dev/sdb1"), Miss: sh("fdisk -l"),
		},
	}
}
