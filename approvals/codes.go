package approvals

// The codes of the refusals of this package. They are stable: programs branch on
// them.
const (
	// CodeNoTurn: questions are asked and settled inside an open turn (reference 3).
	CodeNoTurn = "turn-not-open"
	// CodeBadQuestion: a question lacks a member, or has one outside its list.
	CodeBadQuestion = "bad-question"
	// CodeQuestionExists: the id was used by another question.
	CodeQuestionExists = "question-exists"
	// CodeUnknownQuestion: there is no question of this id.
	CodeUnknownQuestion = "unknown-question"
	// CodeQuestionSettled: the question has its outcome; the answer is late.
	CodeQuestionSettled = "question-settled"
	// CodeQuestionClosed: the turn ended before the question was answered.
	CodeQuestionClosed = "question-closed"
	// CodeNoPerson: an answer that nobody in particular gave.
	CodeNoPerson = "no-person"
	// CodeStaleAnswer: the answer carries another hash than the question's, so that
	// its person saw something else (design section 6, stage 5).
	CodeStaleAnswer = "stale-answer"
	// CodeNotOpened: the arguments were shown shortened and not opened, which is
	// enough to reject but not to allow.
	CodeNotOpened = "arguments-not-opened"
	// CodeNoAlways: this question has no "always".
	CodeNoAlways = "always-not-offered"
	// CodeBadReply: a reply that is none of the wire's shapes (seed 003, section 1).
	CodeBadReply = "bad-reply"
	// CodeBadAnswers: a list of answers that is none, or has a question twice.
	CodeBadAnswers = "bad-answers"
	// CodeNoteTooLong: the note is longer than [MaxNote].
	CodeNoteTooLong = "note-too-long"
	// CodeNotApplied: a good answer that was not applied because another one of its
	// batch was refused.
	CodeNotApplied = "not-applied"
	// CodeBadPolicy, CodeBadTier: a value outside the closed list.
	CodeBadPolicy = "bad-policy"
	CodeBadTier   = "bad-tier"
	// CodeBadGrant: a grant that lacks a member or has one outside its list.
	CodeBadGrant = "bad-grant"
	// CodeGrantExists: the call has its grant already, used or not.
	CodeGrantExists = "grant-exists"
	// CodeNoGrant: there is no such grant that is not used.
	CodeNoGrant = "no-grant"
)
