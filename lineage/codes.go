package lineage

// The codes of this package's refusals ([events.Refusal]).
const (
	// CodeDepth says that the child would be deeper than children may be.
	CodeDepth = "depth-limit"
	// CodeChildren says that the session has as many children as it may have.
	CodeChildren = "children-limit"
	// CodeSpawnReused says that the spawn id, or the child's id, is another
	// child's.
	CodeSpawnReused = "spawn-reused"
	// CodeDescriptor says that a descriptor is not one that a log may hold.
	CodeDescriptor = "invalid-descriptor"
	// CodeText says that a text is empty or not UTF-8.
	CodeText = "invalid-text"
	// CodeMissing says that a member is empty that must not be.
	CodeMissing = "missing-member"
	// CodeHeader says that no header can be made of what was given.
	CodeHeader = "invalid-header"
	// CodeCreationPending says that a child's creation is not stored yet.
	CodeCreationPending = "creation-pending"
	// CodeUnproven says that no dispatched call of the open step hands over the text.
	CodeUnproven = "delegation-unproven"
	// CodeNotRelated says that two sessions are not parent and direct child.
	CodeNotRelated = "not-related"
	// CodeNotChild says that a session is not the child of that parent by its
	// header.
	CodeNotChild = "not-a-child"
	// CodeNotCatalogued says that the parent's log holds no creation fact of it.
	CodeNotCatalogued = "not-catalogued"
	// CodeParentMissing says that the parent's log is not there to be asked.
	CodeParentMissing = "parent-missing"
	// CodeImported says that the child, or the fact of its creation, was imported.
	CodeImported = "imported"
	// CodeHeaderDiffers says that the header is not the one of the creation fact.
	CodeHeaderDiffers = "header-differs"
	// CodeDescriptorDiffers says that the descriptor is not the one of the creation
	// fact.
	CodeDescriptorDiffers = "descriptor-differs"
	// CodeNoDescriptor says that the session has no descriptor of its own.
	CodeNoDescriptor = "no-descriptor"
	// CodeNotContinuable says that the child is a one-shot one.
	CodeNotContinuable = "not-continuable"
	// CodeCycle says that a session descends from itself.
	CodeCycle = "lineage-cycle"
	// CodeBroken says that a session in a line of descent is not the parent that the
	// one before it names, or that the line stops before its root.
	CodeBroken = "lineage-broken"
	// CodeDepthDiffers says that a session is not as deep as its parent makes it.
	CodeDepthDiffers = "depth-differs"
)
