package api

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docket-engine/docket/events"
	"github.com/docket-engine/docket/permit"
)

// Call takes a call through the gate. Its first reply is [Accepted], its last one
// [Answer] or an error; headers tell them apart. The caller says every few seconds
// that it is there, with [CallAlive]: without, the call is cancelled.
//
// The same request with the same id gets the same answer, also from another engine.
type Call struct {
	Command
	CallID string `json:"callId" jsonschema:"the model's id of the call, or <parent>:ptc:<n> of a program's"`
	Name   string `json:"name" jsonschema:"of the tool"`
	// Arguments are the text that the model wrote, byte for byte; of a program's call
	// they are JSON.
	Arguments string `json:"arguments" jsonschema:"the text that the model wrote; of a program's call JSON"`
	// Nonce is the executor's: the call is dispatched to it alone.
	Nonce string     `json:"nonce" jsonschema:"the executor's: SHA-256 of its secret, hex"`
	Inner *InnerCall `json:"inner,omitzero" jsonschema:"of a call that a program makes"`
}

// InnerCall is what a program's call has beside a native one.
type InnerCall struct {
	RootCallID   string `json:"rootCallId" jsonschema:"the native call that the program is"`
	ParentCallID string `json:"parentCallId" jsonschema:"the call that made this one"`
	Schema       Tool   `json:"schema" jsonschema:"the tool's definition that the program was bound to"`
}

func (r Call) check() *Error {
	return firstOf(r.Command.check(), nonEmpty("callId", r.CallID), nonEmpty("name", r.Name), nonEmpty("nonce", r.Nonce))
}

// Accepted is the first reply of a long request, and again while it is under way.
type Accepted struct {
	// ID is the command's, by which it can be asked for again.
	ID     string `json:"id" jsonschema:"the command's id, by which it can be asked for again"`
	CallID string `json:"callId,omitzero" jsonschema:"of a call"`
	// AliveMs is how often the caller has to say that it is there, and GoneMs after how
	// long without it counts as gone.
	AliveMs int64 `json:"aliveMs" jsonschema:"how often the caller has to say that it is there, in ms"`
	GoneMs  int64 `json:"goneMs" jsonschema:"after how long a silence the caller is gone, in ms"`
}

// Answer is what the gate says to a call: exactly one of the two is there.
type Answer struct {
	CallID  string         `json:"callId" jsonschema:"the call"`
	Permit  *permit.Signed `json:"permit,omitzero" jsonschema:"the leave to run the body once, for the executor of the nonce"`
	Refused *Refused       `json:"refused,omitzero" jsonschema:"the body does not run; its result is on the log"`
}

// Refused is a call whose body does not run.
type Refused struct {
	Kind string `json:"kind" jsonschema:"denied, failed, cancelled or unavailable: never shown as one another"`
	// Text is what the agent reads, without a leading "Error: ".
	Text  string      `json:"text" jsonschema:"what the agent reads"`
	Error *ToolError  `json:"error,omitzero" jsonschema:"the structured error"`
	Seq   *events.Seq `json:"seq,omitzero" jsonschema:"of the result; absent where somebody else ended the call"`
}

// ToolError is the structured part of a failed call.
type ToolError struct {
	Name string `json:"name" jsonschema:"of the error's class"`
	Code string `json:"code" jsonschema:"which error it is"`
	// Reason is the JSON string literal that a reviewer wrote.
	Reason jsontext.Value `json:"reason,omitzero" jsonschema:"what a reviewer wrote, a string; only in replies"`
}

// CallAlive says that the caller of a call is still there.
type CallAlive struct {
	Query
	CallID string `json:"callId" jsonschema:"the call that is waited for"`
}

func (r CallAlive) check() *Error { return firstOf(r.Query.check(), nonEmpty("callId", r.CallID)) }

// CallCancel gives a call up that has no answer yet. What becomes of it is its own
// answer.
type CallCancel struct {
	Query
	CallID string `json:"callId" jsonschema:"the call to give up"`
}

func (r CallCancel) check() *Error { return firstOf(r.Query.check(), nonEmpty("callId", r.CallID)) }

// UnderWay says whether any engine has the call, or the tail, under way.
type UnderWay struct {
	Known bool `json:"known" jsonschema:"an engine has it under way; false: ask for it again"`
}

// Settle is the result of a body that ran, once.
type Settle struct {
	Command
	CallID    string         `json:"callId" jsonschema:"the call"`
	Nonce     string         `json:"nonce" jsonschema:"that the call was dispatched to"`
	Content   []events.Block `json:"content" jsonschema:"what the agent reads, in blocks"`
	IsError   bool           `json:"isError,omitzero" jsonschema:"the body failed"`
	Error     *ToolError     `json:"error,omitzero" jsonschema:"only with isError"`
	Meta      jsontext.Value `json:"meta,omitzero" jsonschema:"of a native call, an object of the executor's"`
	Artifacts []Artifact     `json:"artifacts,omitzero" jsonschema:"the files that the body made, changed or deleted"`
}

// Artifact is one file by its identity.
type Artifact struct {
	Path      string `json:"path" jsonschema:"absolute"`
	Device    uint64 `json:"device" jsonschema:"of the file system"`
	Inode     uint64 `json:"inode" jsonschema:"of the file"`
	BirthTime int64  `json:"birthTime" jsonschema:"Unix ns; 0 where the file system has none"`
	Kind      string `json:"kind" jsonschema:"file, directory or symlink"`
	Change    string `json:"change,omitzero" jsonschema:"created (the default), changed or deleted"`
	// What the call left in a file, and when that was looked at.
	SHA256     string    `json:"sha256,omitzero" jsonschema:"of the file's bytes, hex"`
	Size       int64     `json:"size,omitzero" jsonschema:"of the file, in bytes"`
	ChangeTime int64     `json:"changeTime,omitzero" jsonschema:"Unix ns, of the file"`
	ObservedAt int64     `json:"observedAt,omitzero" jsonschema:"Unix ns, when the executor looked"`
	Before     *Replaced `json:"before,omitzero" jsonschema:"the file that stood there before, of a changed one"`
}

// Replaced is the file that a changed one was before.
type Replaced struct {
	Device    uint64 `json:"device" jsonschema:"of the file system"`
	Inode     uint64 `json:"inode" jsonschema:"of the file"`
	BirthTime int64  `json:"birthTime" jsonschema:"Unix ns"`
	SHA256    string `json:"sha256" jsonschema:"of the file's bytes, hex"`
}

func (r Settle) check() *Error {
	if err := firstOf(r.Command.check(), nonEmpty("callId", r.CallID), nonEmpty("nonce", r.Nonce)); err != nil {
		return err
	}
	if r.Error != nil && r.Error.Reason != nil {
		return invalid("error.reason", "is a reviewer's, and never an executor's")
	}
	return nil
}

// Return gives a permit back unused: the body did not start and never will.
type Return struct {
	Command
	CallID    string `json:"callId" jsonschema:"the call"`
	Proof     string `json:"proof" jsonschema:"the executor's secret, whose hash is the nonce"`
	Cancelled bool   `json:"cancelled,omitzero" jsonschema:"the caller went away; else the executor could not use the permit"`
}

func (r Return) check() *Error {
	return firstOf(r.Command.check(), nonEmpty("callId", r.CallID), nonEmpty("proof", r.Proof))
}

// KeysQuery asks for the key that permits are signed with.
type KeysQuery struct{}

// Keys are what an executor checks permits with. It asks for them once, when it
// starts: a permit of another key is then none.
type Keys struct {
	// Dispatch is the Ed25519 public key.
	Dispatch []byte `json:"dispatch" jsonschema:"Ed25519 public key of the signatures of permits"`
}
