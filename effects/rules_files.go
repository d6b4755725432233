package effects

// fileRules speak about files and folders, by where they lie.
func fileRules() []Rule {
	return append(readRules(), append(writeRules(), deleteRules()...)...)
}

func readRules() []Rule {
	return []Rule{
		{
			ID: "engine-touched", Sentence: "The engine's own files, programs, sockets and credentials are out of reach for reviewed calls.", Decision: Deny, Guard: true,
			Hit: sh("cat /var/lib/docket/keys"), Miss: sh("cat keys"),
		},
		{
			ID: "secret-read", Sentence: "What is read holds secrets, by its place or spelling.", Decision: Review,
			Hit: sh("cat ~/.ssh/id_rsa"), Miss: sh("cat README.md"),
		},
		{
			ID: "read-in-project", Sentence: "Files of the project, or temporary ones, are read.", Decision: Allow,
			Hit: sh("ls src"), Miss: sh("ls /home/dev/other"),
		},
		{
			ID: "read-public", Sentence: "Files are read that everybody may read.", Decision: Allow,
			Hit: sh("ls /usr/bin"), Miss: sh("ls /var/log"),
		},
		{
			ID: "read-outside", Sentence: "Files outside of the project are read.", Decision: Review,
			Hit: sh("ls /var/log"), Miss: sh("ls src"),
		},
		{
			ID: "read-computed", Sentence: "Which files are read is computed.", Decision: Review,
			Hit: sh("ls $X"), Miss: sh("ls src"),
		},
	}
}

func writeRules() []Rule {
	return []Rule{
		{
			ID: "write-in-project", Sentence: "Files of the project, or temporary ones, are written.", Decision: Allow,
			Hit: sh("echo a > notes.txt"), Miss: sh("echo a > ../notes.txt"),
		},
		{
			ID: "write-outside", Sentence: "Files outside of the project are written.", Decision: Review,
			Hit: sh("echo a > ../notes.txt"), Miss: sh("echo a > notes.txt"),
		},
		{
			ID: "write-computed", Sentence: "Which files are written is computed.", Decision: Review,
			Hit: sh("echo a > $X"), Miss: sh("echo $X > a"),
		},
		{
			ID: "write-system", Sentence: "The operating system's files are not written.", Decision: Deny, Guard: true,
			Hit: sh("echo a > /etc/hosts"), Miss: sh("echo a > etc/hosts"),
		},
		{
			ID: "write-home", Sentence: "The home folder itself, or one that holds it, is not written over.", Decision: Deny, Guard: true,
			Hit: Example{Tool: "write", Arguments: `{"path":"/home/dev","content":"a"}`}, Miss: sh("echo a > dev"),
		},
		{
			ID: "write-credentials", Sentence: "Folders of keys and credentials are not written.", Decision: Deny, Guard: true,
			Hit: sh("echo a >> ~/.ssh/config"), Miss: sh("echo a >> ssh/config"),
		},
		{
			ID: "write-secret", Sentence: "A file is written that is spelled like one that holds secrets.", Decision: Review,
			Hit: sh("echo A=1 > .env"), Miss: sh("echo A=1 > .env.example"),
		},
		{
			ID: "write-metadata", Sentence: "Files are written that say how others treat the project.", Decision: Review,
			Hit: sh("echo a > .git/HEAD"), Miss: sh("echo a > git/HEAD"),
		},
		{
			ID: "runs-later", Sentence: "Something will execute, by itself and later, what the file says.", Decision: Review,
			Hit: sh("echo a >> Makefile"), Miss: sh("echo a >> Makefile.md"),
		},
	}
}

func deleteRules() []Rule {
	return []Rule{
		{
			ID: "delete-root", Sentence: "The root of the file system is not deleted.", Decision: Deny, Guard: true,
			Hit: sh("rm -rf /*"), Miss: sh("rm -rf ./build"),
		},
		{
			ID: "delete-home", Sentence: "A home folder, or what holds it, is not deleted.", Decision: Deny, Guard: true,
			Hit: sh("rm -rf ~"), Miss: sh("rm -rf build"),
		},
		{
			ID: "delete-system", Sentence: "The operating system is not deleted.", Decision: Deny, Guard: true,
			Hit: sh("rm -rf /usr/lib"), Miss: sh("rm -rf usr/lib"),
		},
		{
			ID: "delete-credentials", Sentence: "Keys and credentials are not deleted.", Decision: Deny, Guard: true,
			Hit: sh("rm -rf ~/.ssh"), Miss: sh("rm -rf ssh"),
		},
		{
			ID: "delete-workspace", Sentence: "The project itself, or what holds it, is not deleted.", Decision: Deny, Guard: true,
			Hit: sh("rm -rf /workspace"), Miss: sh("rm -rf build"),
		},
		{
			ID: "delete-computed", Sentence: "What is deleted is computed: delete one target that is named.", Decision: Deny,
			Hit: sh("rm -rf $X"), Miss: sh("rm -rf build"),
		},
		{
			ID: "delete-pattern", Sentence: "What is deleted is given by a pattern: delete one target that is named.", Decision: Deny,
			Hit: sh("rm -rf *.o"), Miss: sh("rm main.o"),
		},
		{
			ID: "delete-many", Sentence: "Several targets are deleted at once: delete one in a call.", Decision: Deny,
			Hit: sh("rm a b"), Miss: sh("rm a"),
		},
		{
			ID: "delete-nothing", Sentence: "A deletion names no target.", Decision: Deny,
			Hit: sh("rm -rf"), Miss: sh("rm -rf build"),
		},
		{
			ID: "delete-metadata", Sentence: "What others know of the project would be deleted.", Decision: Review,
			Hit: sh("rm -rf .git"), Miss: sh("rm -rf build"),
		},
		{
			ID: "delete-created", Sentence: "What is deleted was made by this session.", Decision: Allow,
			Hit: Example{Tool: "delete", Arguments: `{"path":"made.txt"}`}, Miss: Example{Tool: "delete", Arguments: `{"path":"found.txt"}`},
		},
		{
			ID: "delete-in-temp", Sentence: "One temporary target is deleted.", Decision: Allow,
			Hit: sh("rm -rf /tmp/build"), Miss: sh("rm -rf /tmp"),
		},
		{
			ID: "delete-unproven", Sentence: "Nothing shows that this session made what is deleted.", Decision: Review,
			Hit: sh("rm -rf build"), Miss: sh("ls build"),
		},
		{
			ID: "delete-outside", Sentence: "Something outside of the project is deleted.", Decision: Review,
			Hit: sh("rm ../notes.txt"), Miss: sh("rm /tmp/notes.txt"),
		},
	}
}
