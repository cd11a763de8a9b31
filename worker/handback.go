package worker

import (
	"context"
	"slices"
	"time"

	"github.com/pgtasker/pgtasker/gen"
	"github.com/pgtasker/pgtasker/internal/direct"
	"github.com/pgtasker/pgtasker/internal/pgerr"
)

// release hands back steps that were not started or not finished.
func (l *loop) release() {
	var claims []direct.StepClaim
	claims, l.releases = claimsOfACall(l.releases)
	n := len(claims)
	l.releasing += n
	l.start(func(s *slot) reply {
		var answers []gen.StepAnswer
		err := l.within(s.calls, callWithin, "handing steps back", func(ctx context.Context) (err error) {
			answers, err = l.db.ReleaseSteps(ctx, claims)
			return err
		})
		return reply{take: func(l *loop) {
			l.releasing -= n
			switch {
			case err == nil:
				l.reached()
				l.takeReleases(claims, answers)
			case l.calls.Err() == nil && pgerr.Of(err) == pgerr.Passing:
				l.failing(time.Now())
				l.releases = append(claims, l.releases...)
			default:
				l.log.Warn("steps could not be handed back; they run again when their leases have ended", "steps", n, "error", err)
			}
		}}
	})
}

// takeReleases handles the answers to releases. A step that another session holds is handed back again later.
func (l *loop) takeReleases(claims []direct.StepClaim, answers []gen.StepAnswer) {
	var busy []direct.StepClaim
	for _, claim := range claims {
		if slices.ContainsFunc(answers, func(a gen.StepAnswer) bool {
			return a.StepUUID == claim.StepUUID && a.Answer == gen.ResultAnswerBusy
		}) {
			busy = append(busy, claim)
		}
	}
	l.counts.released.Add(int64(len(claims) - len(busy)))
	if len(busy) > 0 {
		l.later = append(l.later, delayed{at: time.Now().Add(resendBusy), releases: busy})
	}
}
