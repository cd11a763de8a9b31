package bookingtest

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

const (
	// Accounts is how many accounts the bank has, numbered from 0.
	Accounts = 50
	// Balance is the balance of each account at the beginning.
	Balance = 1_000_000
)

// Booking is the context of a task whose steps book, as JSON {"n": …, "amount": …}. Every task has an N of its own.
type Booking struct {
	N      int `json:"n"`
	Amount int `json:"amount"`
}

// OpenBank creates schema bank with its accounts, and the function that books:
//
//	bank.book(n, step, amount)  moves an amount between two accounts, and notes the booking of step "step" of task N
//
// Bookings are not unique, so a step that books twice has two bookings. Every role may book.
func OpenBank(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	_, err := pool.Exec(t.Context(), fmt.Sprintf(`
		create schema bank;
		create table bank.accounts (id integer primary key, balance bigint not null);
		create table bank.bookings (id bigint generated always as identity primary key, n integer not null, step text not null, amount bigint not null);
		insert into bank.accounts select g, %[2]d from generate_series(0, %[1]d - 1) as g;
		create function bank.book(p_n integer, p_step text, p_amount bigint)
		  returns bigint
		  language plpgsql
		  set search_path = pg_catalog, pg_temp
		as $$
		declare
		  -- In the order of their numbers, so that bookings do not wait for each other in a circle.
		  v_from constant integer := (p_n * 7 + length(p_step)) %% %[1]d;
		  v_to   constant integer := (v_from + 1 + p_n %% (%[1]d - 1)) %% %[1]d;
		  v_id   bigint;
		begin
		  perform from bank.accounts as a where a.id in (v_from, v_to) order by a.id for update;
		  update bank.accounts as a set balance = a.balance - p_amount where a.id = v_from;
		  update bank.accounts as a set balance = a.balance + p_amount where a.id = v_to;
		  insert into bank.bookings (n, step, amount) values (p_n, p_step, p_amount) returning id into v_id;
		  return v_id;
		end;
		$$;
		grant usage on schema bank to public;
		grant select, insert, update on all tables in schema bank to public;`, Accounts, Balance))
	require.NoError(t, err)
}

// Findings are the findings of a check.
type Findings struct {
	Completed int // steps that are complete
	Booked    int // complete steps with exactly one booking
	Doubles   int // complete steps with more bookings
	Missing   int // complete steps without a booking
	Strays    int // bookings of steps that are not complete
	Moved     int // by how much the sum of all balances has changed
}

// Sound says whether each completed step has one booking, and no other step has a booking.
func (f Findings) Sound() bool {
	return f.Completed == f.Booked && f.Doubles+f.Missing+f.Strays+f.Moved == 0
}

// Check compares the bookings with the steps of these names, of all tasks of a namespace.
func Check(ctx context.Context, pool *pgxpool.Pool, namespace string, steps ...string) (f Findings, err error) {
	err = pool.QueryRow(ctx, `
		with steps as (
		  select (t.context ->> 'n')::integer as n, s.name as step, s.state = 'complete' as complete
		    from tasker.tasks as t
		    join tasker.named_tasks as k on k.named_task_uuid = t.named_task_uuid
		    join tasker.task_namespaces as m on m.task_namespace_uuid = k.task_namespace_uuid
		    join tasker.workflow_steps as s on s.task_uuid = t.task_uuid
		   where m.name = $1
		     and s.name = any ($2)
		), booked as (
		  select b.n, b.step, count(*) as times
		    from bank.bookings as b
		   where b.n in (select s.n from steps as s)
		   group by b.n, b.step
		)
		select count(*) filter (where s.complete),
		       count(*) filter (where s.complete and b.times = 1),
		       count(*) filter (where s.complete and b.times > 1),
		       count(*) filter (where s.complete and b.times is null),
		       coalesce(sum(b.times) filter (where s.complete is not true), 0)::integer,
		       (select sum(a.balance) - $3 from bank.accounts as a)::integer
		  from steps as s
		  full join booked as b on b.n = s.n and b.step = s.step`,
		namespace, steps, Accounts*Balance).Scan(&f.Completed, &f.Booked, &f.Doubles, &f.Missing, &f.Strays, &f.Moved)
	return f, err
}
