-- TestEvent returns the effects that an event would have on tasks if it were emitted now. It changes nothing.
-- name: TestEvent :many
select * from tasker.test_event(@namespace::text, @name::text, @key::text, @payload);
