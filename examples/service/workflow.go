package main

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pgtasker/pgtasker/template"
	"github.com/pgtasker/pgtasker/worker"
)

//go:embed templates
var templates embed.FS

// What the steps take and give.
type (
	Order struct {
		Number   int    `json:"number" tasker:"required"`
		Customer string `json:"customer"`
		Cents    int    `json:"cents" tasker:"required"`
	}
	Reservation struct {
		Shelf string `json:"shelf"`
	}
	Payment struct {
		Receipt string `json:"receipt" tasker:"required"`
	}
	Approval struct {
		Approved bool   `json:"approved" tasker:"required"`
		By       string `json:"by"`
	}
	PriceList struct {
		Articles int `json:"articles" tasker:"required"`
	}
	Article struct {
		ID int `json:"id"`
	}
)

// bank is what the service calls. Its receipts are the same for the same key.
type bank interface {
	Charge(ctx context.Context, cents int, key string) (receipt string, err error)
	Refund(ctx context.Context, receipt string) error
}

var errNoSuchCard = errors.New("no such card")

// newWorker registers the templates and returns a worker for all of their steps.
func newWorker(ctx context.Context, pool *pgxpool.Pool, bank bank) (*worker.Worker, error) {
	registered, err := template.Register(ctx, pool, templates)
	if err != nil {
		return nil, err
	}
	w, err := worker.New(pool, worker.Config{Namespaces: []string{"shop"}, Elsewhere: []string{"approve"}})
	if err != nil {
		return nil, err
	}
	s := steps{pool: pool, bank: bank}
	worker.Handle(w, "reserve", s.reserve)
	worker.Handle(w, "charge", s.charge)
	worker.Handle(w, "ship", s.ship)
	worker.Handle(w, "refund", s.refund)
	worker.Handle(w, "list", s.list)
	worker.Handle(w, "price", s.price)
	worker.Handle(w, "total", s.total)
	w.Require(registered...)
	return w, nil
}

type steps struct {
	pool *pgxpool.Pool
	bank bank
}

func (s steps) reserve(_ context.Context, job *worker.Job[Order]) (Reservation, error) {
	return Reservation{Shelf: fmt.Sprintf("shelf %d", job.Input.Number%10)}, nil
}

func (s steps) charge(ctx context.Context, job *worker.Job[Order]) (Payment, error) {
	receipt, err := s.bank.Charge(ctx, job.Input.Cents, job.StepUUID.String())
	if errors.Is(err, errNoSuchCard) {
		return Payment{}, worker.Permanent(err)
	}
	return Payment{Receipt: receipt}, err
}

// ship finds the payment two steps above, behind the approval.
func (s steps) ship(_ context.Context, job *worker.Job[Order]) (string, error) {
	reservation, err := worker.Result[Reservation](job, "reserve")
	if err != nil {
		return "", err
	}
	payment, err := worker.Result[Payment](job, "charge")
	return fmt.Sprintf("from %s to %s, paid by %s", reservation.Shelf, job.Input.Customer, payment.Receipt), err
}

func (s steps) refund(ctx context.Context, job *worker.Job[Order]) (string, error) {
	payment, err := worker.Result[Payment](job, "charge")
	if err != nil {
		return "", err
	}
	return payment.Receipt, s.bank.Refund(ctx, payment.Receipt)
}

// list fans out: a step for each article, and one that waits for them all.
func (s steps) list(ctx context.Context, job *worker.Job[PriceList]) (int, error) {
	var names []string
	var added []template.Step
	for id := range job.Input.Articles {
		names = append(names, fmt.Sprintf("price_%d", id))
		added = append(added, template.Step{
			Name: names[id], Handler: "price", Dependencies: template.After(job.Name), Initialization: template.Inputs(Article{ID: id}),
		})
	}
	added = append(added, template.Step{Name: "total", Dependencies: template.After(append(names, job.Name)...)})
	_, err := template.AddSteps(ctx, s.pool, job.TaskUUID, added...)
	return job.Input.Articles, err
}

func (s steps) price(_ context.Context, job *worker.Job[struct{}]) (cents int, err error) {
	var article Article
	err = job.Inputs(&article)
	return 100 + article.ID, err
}

func (s steps) total(_ context.Context, job *worker.Job[struct{}]) (cents int, err error) {
	prices, err := worker.Results[int](job)
	for name, price := range prices {
		if name != "list" {
			cents += price
		}
	}
	return cents, err
}
